"""Arithmetic without a word of privacy in it.

Which file to open: `logspace` and `normal`, stable logarithms and tails; `rounding` and `exact`,
ends rounded to their side, and without rounding; `binomial`, sums of weights; `lognormal`, a
number on a lattice; `invert` and `convex`, roots and least values whose answer holds as computed;
`envelope` and `odds`, polygons and beliefs.
"""
