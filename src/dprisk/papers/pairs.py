"""Two distributions in exact fractions: profiles, tails, and what merging does to them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Final

__all__ = ["Pair", "loss_above", "loss_above_merged", "merged", "profile"]

Pair = tuple[tuple[Fraction, ...], tuple[Fraction, ...]]
"""Probabilities of the outputs on two neighbors."""

ZERO: Final = Fraction(0)


def profile(pair: Pair, growth: Fraction) -> Fraction:
    """The least delta at e^epsilon = growth, over both directions (P0, Definition 2.1)."""
    return max(
        sum((max(p - growth * q, ZERO) for p, q in zip(first, second, strict=True)), ZERO)
        for first, second in (pair, pair[::-1])
    )


def loss_above(pair: Pair, growth: Fraction) -> Fraction:
    """How likely the privacy loss is above log(growth), in the worse direction."""
    return max(
        sum((p for p, q in zip(first, second, strict=True) if p > growth * q), ZERO)
        for first, second in (pair, pair[::-1])
    )


def loss_above_merged(pair: Pair, growth: Fraction) -> Fraction:
    """The same for whatever is computed from the output: the least delta of pbdp.

    An event is at most as likely on the second as it is on the power curve of the best tests; it is
    more than `growth` times as likely on the first up to where that curve falls below the ray.
    """
    found = ZERO
    for first, second in (pair, pair[::-1]):
        order = sorted(range(len(first)), key=lambda i: _ratio(first[i], second[i]), reverse=True)
        corners = [(ZERO, ZERO)]
        for i in order:
            corners.append((corners[-1][0] + second[i], corners[-1][1] + first[i]))
        for (x0, y0), (x1, y1) in pairwise(corners):
            above, then = y0 - growth * x0, y1 - growth * x1
            if then > 0:
                found = max(found, y1)
            elif above > 0:
                found = max(found, y0 + (y1 - y0) * above / (above - then))
    return found


def merged(pair: Pair, groups: Sequence[Sequence[int]]) -> Pair:
    """The same where outputs of one group cannot be told apart any more."""
    first, second = (
        tuple(sum((side[i] for i in group), ZERO) for group in groups) for side in pair
    )
    return first, second


def _ratio(p: Fraction, q: Fraction) -> tuple[bool, Fraction]:
    """A likelihood ratio that can be infinite, to sort by."""
    return (True, ZERO) if q == 0 else (False, p / q)
