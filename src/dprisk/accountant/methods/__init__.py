"""How a sum of privacy losses is answered: one method a file, each with its theorem.

`by_atoms`, `by_binomial`, `by_splines` and `subsampled_once` are closed forms; `by_shifts` puts a
few values beside one of them; `by_contour` sums over vertical lines, `by_truncation` cuts what is
too heavy for that, and `by_discretization` encloses a few losses between two on a lattice.
"""
