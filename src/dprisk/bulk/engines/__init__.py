"""The engines that hold tables; each is imported where it is used."""
