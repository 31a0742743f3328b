"""A sweep that explores: random promises, mechanisms and questions, held against the truth.

The truths come from ball arithmetic, exact rationals and brute force, never from the package. Run
it with ``make sweep MINUTES=60``; CONTRIBUTING.md says more.
"""
