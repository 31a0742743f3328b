"""Side-by-side measurements: ratios within one run, since absolute times drift."""
