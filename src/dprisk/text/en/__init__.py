"""English: the words that every other language falls back to."""
