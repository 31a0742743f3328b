"""Losses on a lattice around others: pessimistic ones, which dominate, and optimistic ones."""
