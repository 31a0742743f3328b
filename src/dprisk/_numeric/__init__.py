"""Arithmetic without a word of privacy in it: stable logarithms, safe inversion, curves."""
