"""Mutants: one change each to the source, and what has to notice it. Run with ``make mutants``."""
