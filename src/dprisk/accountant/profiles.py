"""The privacy profiles of a composition, as sums of its losses: one for each ordered pair."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from dprisk._numeric.exact import as_written_up, chance_of_any, rounded_up, total, written
from dprisk.accountant.abscissas import MOST_NODES
from dprisk.accountant.loss_sum import LossSum, Parts, Sides, probabilities_off
from dprisk.accountant.methods.by_atoms import VALUE, ByAtoms, as_atoms
from dprisk.accountant.methods.by_binomial import as_binomial
from dprisk.accountant.methods.by_contour import ByContour
from dprisk.accountant.methods.by_discretization import as_discretization
from dprisk.accountant.methods.by_shifts import as_shifted, as_shifts
from dprisk.accountant.methods.by_splines import as_splines
from dprisk.accountant.methods.by_truncation import as_truncation
from dprisk.accountant.methods.subsampled_once import as_rare, as_subsampled_once
from dprisk.accountant.refinement import (
    STEERED,
    Counted,
    Profiles,
    more_nodes,
    one_sided,
    refined,
)
from dprisk.guarantees.base import Neighbors
from dprisk.losses.atoms import AtomicLoss
from dprisk.losses.base import ULP, Loss, LossPair
from dprisk.losses.laplace import LaplaceLoss
from dprisk.losses.normal import ResponseLoss
from dprisk.losses.subsampled_normal import SubsampledNormalLoss

if TYPE_CHECKING:
    from dprisk.accountant.duality import Ends

PairsOfLosses = tuple[tuple[tuple[Loss, Loss], int], ...]


def profiles(
    pairs: Counted,
    neighbors: Neighbors,
    accuracy: float | None,
    memory: float,
    finer: float = 1.0,
    shared: int = 0,
) -> Profiles:
    """One for each ordered pair of neighbors; a single one where they are alike."""
    from dprisk.accountant.duality import Duality

    whole = pairs if finer == 1.0 else refined(pairs, finer, memory)
    remembered = _repeated(whole[:shared], len(whole) == 1)
    whole, shared = remembered + _repeated(whole[shared:], len(whole) == 1), len(remembered)
    accuracy = (accuracy or STEERED) / finer**2
    finer = finer if finer <= 1.0 else min(finer, more_nodes(memory))
    blur = probabilities_off(whole)
    found = []
    for each in _orientations(whole, neighbors):
        alike = all(pair.symmetric for pair, _ in each)
        first = _at_ends(each, 0, blur)
        other = first if alike else _at_ends(each, 1, blur)
        ends = (first[0], other[0]), (first[1], other[1]), (first[2], other[2])
        one = tuple((pair.forward, count) for pair, count in each)
        two = tuple((pair.backward, count) for pair, count in each)
        both = _shifted(each, one, two, shared, accuracy, finer) if shared else None
        if both is None:
            forward = _sides(one, accuracy, finer)
            backward = forward if one == two else _sides(two, accuracy, finer)
        else:
            forward, backward = both
        if alike:
            return (Duality(forward, forward, accuracy, blur, *ends),)
        found.append(Duality(forward, backward, accuracy, blur, *ends))
        found.append(found[-1].turned)
    return tuple(found)


def _repeated(pairs: Counted, alone: bool) -> Counted:
    """All uses of one mechanism together, where more is known about these."""
    found: list[tuple[LossPair, int]] = []
    for pair, count in pairs:
        found += ((pair, count),) if pair.repeated is None else pair.repeated(count, alone)
    return tuple(found)


def _orientations(whole: Counted, neighbors: Neighbors) -> Iterator[list[tuple[LossPair, int]]]:
    """Replacing has no direction: what is P for one mechanism may be Q for another."""
    free = one_sided(whole)[1:] if neighbors == "replace-one" else []
    for turned in product((False, True), repeat=len(free)):
        back = {pair for pair, is_turned in zip(free, turned, strict=True) if is_turned}
        yield [(pair.turned if pair in back else pair, count) for pair, count in whole]


def _at_ends(
    counted: Sequence[tuple[LossPair, int]], back: int, blur: float
) -> tuple[Ends, float, float]:
    """Probability revealed outright, the part of it only cut off, and the largest finite loss."""
    return _shown(counted, back), _cut_off(counted, back), _top(counted, back, blur)


def _shown(counted: Sequence[tuple[LossPair, int]], back: int) -> Ends:
    """Probability that some loss is infinite, of what is run so often, or of the reverse pair."""
    ends = [pair.revealed[back] for pair, _ in counted]
    if not any(most for _, most in ends):
        return 0.0, 0.0
    times = [count for _, count in counted]
    least, most = (chance_of_any([Fraction(end[i]) for end in ends], times) for i in (0, 1))
    high = rounded_up(most)
    if not any(pair.own for pair, _ in counted):
        high = min(high, as_written_up(chance_of_any([written(most) for _, most in ends], times)))
    rounded = max(pair.relative_error for pair, _ in counted)
    # three roundings of the float, the share and their product
    low = float(least) * (1.0 - rounded) * (1.0 if least == most == high else 1.0 - 4 * ULP)
    if not any(end == 1.0 for end, _ in ends):
        low = min(low, 1.0 - ULP / 2.0)  # what was rounded to nothing is not nothing
    return min(low, high), high


def _top(counted: Sequence[tuple[LossPair, int]], back: int, blur: float) -> float:
    """Largest finite loss of what is run so often, or of the reverse pair, at most."""
    tops, off = [], 2.0 * blur
    for pair, count in counted:
        loss = (pair.forward, pair.backward)[back][1]
        rounded = loss.top if isinstance(loss, LaplaceLoss) else None
        tops.append(loss.support[1] if rounded is None else rounded)
        if pair.shown is not None and loss.infinite > pair.shown[back]:
            return math.inf  # what was cut off is finite
        # of a value, a quotient and a logarithm are rounded
        off += count * abs(tops[-1]) * VALUE if isinstance(loss, AtomicLoss) else 0.0
    if math.inf in tops:
        return math.inf
    return rounded_up(total([*tops, off], [*(count for _, count in counted), 1]))


def _cut_off(counted: Sequence[tuple[LossPair, int]], back: int) -> float:
    """Probability, at most, that what is infinite in a computation is finite in truth."""
    each = [
        count * max((pair.forward, pair.backward)[back][1].infinite - pair.shown[back], 0.0)
        for pair, count in counted
        if pair.shown is not None
    ]
    # a difference, a product and a sum for each: three roundings
    return sum(each) * (1.0 + 4 * ULP * (2.0 + len(each)))


def _shifted(
    pairs: Sequence[tuple[LossPair, int]],
    forward: PairsOfLosses,
    backward: PairsOfLosses,
    shared: int,
    accuracy: float,
    finer: float,
) -> tuple[Sides, Sides] | None:
    """Both directions, as the remembered sum of the first pairs and the values of others."""
    if not all(pair.exact for pair, _ in pairs[shared:]) or _is_finite(forward):
        return None
    known, back = (_remembered(each[:shared], accuracy, finer) for each in (forward, backward))
    found = as_shifted(forward[shared:], known, back)
    turned = found if forward == backward else as_shifted(backward[shared:], back, known)
    return None if found is None or turned is None else (found, turned)


def _is_finite(parts: PairsOfLosses) -> bool:
    """Whether all of it has few values: then these are all there is to know."""
    return as_atoms(tuple((above, count) for (_, above), count in parts)) is not None


def _sides(parts: PairsOfLosses, accuracy: float, finer: float) -> Sides:
    """The sums that the true one dominates, and that dominate it; one object where it is known."""
    upper = add_up(tuple((above, count) for (_, above), count in parts), accuracy, finer)
    if all(below == above for (below, above), _ in parts):
        return upper, upper
    return add_up(tuple((below, count) for (below, _), count in parts), accuracy, finer), upper


_remembered = lru_cache(maxsize=4)(_sides)


def add_up(parts: Parts, accuracy: float, finer: float = 1.0) -> LossSum:
    """The sum of losses, each so many times, by the first method that suits them."""
    counts: dict[Loss, int] = {}
    for loss, count in parts:
        counts[loss] = counts.get(loss, 0) + count
    distinct = tuple(counts.items())
    hidden = math.prod((1.0 - loss.infinite) ** count for loss, count in distinct)
    if hidden < ULP / 8.0:
        return ByAtoms.everything()
    nodes = int(MOST_NODES * finer)
    others = [loss for loss in counts if not isinstance(loss, SubsampledNormalLoss)]
    few = bool(others) and all(isinstance(loss, AtomicLoss | ResponseLoss) for loss in others)
    by_value = tuple(  # lines know of points only
        (loss.points if isinstance(loss, ResponseLoss) else loss, n) for loss, n in distinct
    )
    return (
        as_splines(distinct)
        or as_binomial(distinct)
        or as_rare(distinct, lambda rest: add_up(rest, accuracy, finer), few and finer == 1.0)
        or as_atoms(distinct)
        or as_subsampled_once(distinct)
        or as_shifts(distinct, accuracy)
        or as_discretization(distinct, accuracy, finer, add_up)
        or as_truncation(by_value, accuracy, nodes)
        or ByContour(by_value, accuracy, nodes)
    )
