"""Several releases about the same people: the best bound that is known to hold for all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, Literal, get_args

import numpy as np

from dprisk._checks import LIMITED, Domain, scalar
from dprisk._numeric.logspace import Floats
from dprisk._numeric.rounding import product_up, sum_up
from dprisk.accountant.privacy_loss import PrivacyLoss
from dprisk.accountant.refinement import BYTES, MEMORY, WIDTHS
from dprisk.answer import Answer
from dprisk.composition.theorems import advanced, simple
from dprisk.errors import InvalidInput, Meaningless, WrongCall, one_of
from dprisk.guarantees.approximate import ApproxDP, ApproxDPCurve
from dprisk.guarantees.base import CHANCES, Composed, Guarantee
from dprisk.guarantees.piecewise import Dominating, dominated_by, polygon_loss
from dprisk.guarantees.renyi import RenyiDP
from dprisk.guarantees.words import in_words
from dprisk.losses.base import LossPair
from dprisk.mechanisms.base import Mechanism
from dprisk.progress import report
from dprisk.text import english
from dprisk.theorems import (
    ADVANCED_COMPOSITION,
    LOSS_COMPOSITION,
    ONE_RELEASE,
    OPTIMAL_COMPOSITION,
    RENYI_COMPOSITION,
)

Precision = tuple[float | None, float]
Rule = Literal["best", "simple", "advanced", "optimal"]
RULES: Final[tuple[Rule, ...]] = get_args(Rule)


COMPARED_AT = 1e-9  # the delta at which bounds of different kinds are compared
TESTED = np.geomspace(0.5, 1e5, 24)  # levels, as shares of the one at which e^epsilon is that delta
SLACK = Domain(0.0, 1.0, low_open=True, high_open=True, advice="Such as 1e-6.")
GRID = 1.0 + np.geomspace(1e-3, 1e5, 120)


def compose(
    guarantees: Sequence[Guarantee | Mechanism | Composed],
    counts: Sequence[int] | None = None,
    *,
    rule: Rule = "best",
    slack: float | None = None,
    accuracy: float | None = None,
    memory: float = MEMORY,
    shared: int = 0,
) -> Composed:
    """Guarantee of releases about the same people, chosen even after seeing earlier ones.

    Parameters
    ----------
    guarantees : sequence of Guarantee, Mechanism or Composed
        One for each release. At least one, all with the same neighbors. A mechanism stands for its
        own privacy loss; under the rules about parameters for the promise that it keeps.
    counts : sequence of int, optional
        How often each is released. [1, 10^9], one for each guarantee
    rule : {"best", "simple", "advanced", "optimal"}
        ``best``: privacy losses are added up; whatever has none is first read as the losses that
        dominate it. Gaussian DP, zCDP and Rényi DP among themselves just add their parameters.
        ``simple``: parameters add. ``advanced``: for pure and approximate DP, at the price of
        `slack`. ``optimal``: for pure and approximate DP, what no other bound from these numbers
        can beat.
    slack : float, optional
        Delta that advanced composition may add. (0, 1)
    accuracy : float, optional
        How wide the brackets of a `PrivacyLoss` may be for epsilon and delta, in nats of epsilon:
        kept, or refused with `TooWide` when it is asked. Left out, they are about 1e-9 wide where
        that costs little, and wider where it costs more. [1e-13, 1]
    memory : float
        Bytes that finer grids may take where an accuracy is asked for. [1e8, 1e15]
    shared : int
        How many of the first guarantees are added up by themselves, and remembered: for searches
        that compose these with one thing after another. [0, n)

    Returns
    -------
    Composed
        An upper bound; with the theorem, and which parts were first weakened.

    Raises
    ------
    InvalidInput
        If nothing is given, a count is not a positive integer, or `rule` is unknown.
    OutOfRange
        If `slack`, `accuracy` or `memory` is outside its range.
    Meaningless
        If neighbors differ, or the rule does not combine these definitions; the message says what
        to do.

    References
    ----------
    .. [1] P0, Theorems 2.8 and 2.9.
    .. [2] P. Kairouz, S. Oh, P. Viswanath, The composition theorem for differential privacy,
       ICML 2015.
    .. [3] Y. Zhu, J. Dong, Y.-X. Wang, Optimal accounting of differential privacy via
       characteristic function, AISTATS 2022.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.composition import compose
    >>> whole = compose([PureDP(0.25, neighbors="add-remove")], [40]).guarantee
    >>> round(whole.epsilon(0.0).value, 6), round(whole.epsilon(1e-6).value, 4)
    (10.0, 7.7551)
    """
    parts = [_as_guarantee(part, rule) for part in _several(guarantees)]
    times = [1] * len(parts) if counts is None else list(counts)
    one_of("rule", rule, RULES)
    check_effort(accuracy, memory, slack)
    _check(parts, times)
    precision = accuracy, memory
    if len(parts) == 1 and times[0] == 1 and (accuracy is None or parts[0].is_stated):
        return _beside_rules(Composed(parts[0], ONE_RELEASE), guarantees, times)
    if rule == "advanced":
        return _advanced(parts, times, slack)
    if rule == "simple":
        return simple(parts, times) or _refuse(parts, "simple")
    if rule == "optimal":
        if not _are_points(parts):
            _refuse(parts, "optimal")
        done = _by_losses(parts, times, precision, shared)
    else:
        done = _best(parts, times, precision, shared)
    return _beside_rules(done, guarantees, times)


def _beside_rules(done: Composed, given: Sequence[Any], times: list[int]) -> Composed:
    """With what the rules about parameters say of the same promises, where it may be less."""
    whole = done.guarantee
    if not isinstance(whole, PrivacyLoss):
        return done
    parts = [_as_guarantee(part, "simple") for part in given]
    by_parameters = simple(parts, times)
    also = [] if by_parameters is None else [by_parameters.guarantee]
    if any(isinstance(part, Mechanism) for part in given) and _are_points(parts):
        best = _by_losses(parts, times, (None, MEMORY)).guarantee
        other = isinstance(best, PrivacyLoss) and _losses(best) != _losses(whole)
        if isinstance(best, PrivacyLoss) and other and best.has_few_values:
            also.append(best)
    return replace(done, guarantee=whole.beside(also)) if also else done


def _losses(whole: PrivacyLoss) -> set[Any]:
    return {(pair.forward, pair.backward, count) for pair, count in whole.pairs}


def _several(guarantees: Any) -> list[Any]:
    if isinstance(guarantees, Guarantee | Mechanism):
        raise WrongCall(
            "compose takes a list: compose([first, second]) for two releases, "
            "compose([one], [12]) for twelve of the same."
        )
    return list(guarantees)


def _as_guarantee(part: Any, rule: Rule) -> Guarantee:
    if isinstance(part, Mechanism):
        return part.loss() if rule == "best" else part.guarantee()
    if isinstance(part, Composed):
        return part.guarantee
    if isinstance(part, Guarantee):
        return part
    raise InvalidInput("guarantees", part, "a guarantee or a mechanism each")


def _best(parts: list[Guarantee], times: list[int], precision: Precision, shared: int) -> Composed:
    kinds = {type(part) for part in parts}
    if len(kinds) == 1 and parts[0].composes_by != "losses":
        done = simple(parts, times)
        if done is not None:
            return done
    if not any(part.composes_by == "orders" for part in parts):
        return _by_losses(parts, times, precision, shared)
    best = _with_orders_first(parts, times, precision, shared)
    for other in (simple(parts, times), by_orders(parts, times)):
        if other is not None and not _is_as_small(best.guarantee, other.guarantee):
            best = other
    return best


def _is_as_small(guarantee: Guarantee, other: Guarantee) -> bool:
    """Whether its epsilon is no larger, but for a tie; of a loss, by cheap bounds first."""
    if not isinstance(guarantee, PrivacyLoss):
        return float(guarantee.epsilon(COMPARED_AT)) <= float(other.epsilon(COMPARED_AT))
    rough = float(guarantee.coarse.epsilon(COMPARED_AT))
    if _is_larger(other, rough):
        return True
    epsilon = float(guarantee.epsilon(COMPARED_AT))
    return epsilon < rough and _is_larger(other, epsilon)


def _is_larger(guarantee: Guarantee, epsilon: float) -> bool:
    """Whether its epsilon is larger: some test has more power than delta + e^epsilon level."""
    at = COMPARED_AT * math.exp(-epsilon)
    if not TESTED[0] * at > 0.0:
        return False
    shares = TESTED
    for _ in range(3):  # the level is then known to 0.4 %, what it shows to a hundred-thousandth
        excess = np.asarray(guarantee.power(at * shares).value) - COMPARED_AT * shares
        best = int(np.argmax(excess))
        if excess[best] > COMPARED_AT * (1.0 + 1e-6):
            return True
        near = shares[max(best - 1, 0)], shares[min(best + 1, len(shares) - 1)]
        shares = np.geomspace(*near, len(TESTED))
    return False


def _by_losses(
    parts: list[Guarantee], times: list[int], precision: Precision, shared: int = 0
) -> Composed:
    """Losses add; equal ones together, in an order that does not depend on the caller's."""
    counted: list[tuple[LossPair, int]] = []
    first: list[tuple[LossPair, int]] = []
    lossy = []
    for done, (part, count) in enumerate(zip(parts, times, strict=True)):
        pairs, note = dominating(part)
        counted.extend((pair, inner * count) for pair, inner in pairs)
        if note:
            lossy.append(english("composition.was", part=in_words(part), read=note))
        report("reading promises", 1 + done, len(parts))
        if 1 + done == shared:
            first, counted = _together(counted), []
    counted = _together(counted) if len(counted) > 1 else counted
    whole = PrivacyLoss(
        [pair for pair, _ in (*first, *counted)],
        [count for _, count in (*first, *counted)],
        neighbors=parts[0].neighbors,
        accuracy=precision[0],
        memory=precision[1],
        shared=len(first) if counted else 0,
    )
    return Composed(
        whole,
        OPTIMAL_COMPOSITION if _are_points(parts) else LOSS_COMPOSITION,
        tuple(dict.fromkeys(lossy)),
    )


def _are_points(parts: list[Guarantee]) -> bool:
    """Whether each promise is one pair (epsilon, delta), as those of the classical theorems."""
    return all("approximate" in part.additive_parameters for part in parts)


def _together(counted: list[tuple[LossPair, int]]) -> list[tuple[LossPair, int]]:
    """Equal ones once, sorted."""
    counts: dict[LossPair, int] = {}
    for pair, count in counted:
        counts[pair] = counts.get(pair, 0) + count
    return sorted(counts.items(), key=lambda one: (one[0].label, repr(one[0].forward)))


def _with_orders_first(
    parts: list[Guarantee], times: list[int], precision: Precision, shared: int = 0
) -> Composed:
    """zCDP and Rényi parts add up among themselves before they are read as losses."""
    sums: list[tuple[Guarantee, int]] = []
    kinds = {type(part): part for part in parts if part.composes_by == "orders"}
    for kind in sorted(kinds, key=lambda one: one.definition):
        same = [(p, n) for p, n in zip(parts, times, strict=True) if type(p) is kind]
        done = simple([p for p, _ in same], [n for _, n in same]) if same else None
        if done is not None:
            sums.append((done.guarantee, 1))
    counted = list(zip(parts, times, strict=True))
    first, then = (
        [(part, count) for part, count in some if part.composes_by != "orders"]
        for some in (counted[:shared], counted[shared:])
    )
    if len(first) == shared:  # what is remembered has no sums
        rest, remembered = [*first, *sums, *then], shared
    else:
        rest = [*sums, *first, *then]
        remembered = len(sums) + len(first) if len(then) == len(counted) - shared else 0
    return _by_losses([part for part, _ in rest], [n for _, n in rest], precision, remembered)


def by_orders(parts: list[Guarantee], times: list[int]) -> Composed | None:
    """Everything by its Rényi divergences; None where some have none."""
    stated = (part.divergences for part in parts)
    own = [set(one.orders) for one in stated if one is not None and one.orders]
    orders = np.array(sorted(set.intersection(*own))) if own else GRID
    if not orders.size:
        return None
    total, lossy = np.zeros_like(orders), []
    for part, count in zip(parts, times, strict=True):
        found = _divergence(part, orders)
        if found is None:
            return None
        total = sum_up(total, product_up(float(count), found))
        if part.composes_by != "orders":
            read = english("composition.read-by.divergences")
            lossy.append(english("composition.was", part=in_words(part), read=read))
    some = LIMITED.holds(total)  # a larger one promises nothing
    if not some.any():
        return None
    whole = RenyiDP(orders[some], total[some], neighbors=parts[0].neighbors)
    return Composed(whole, RENYI_COMPOSITION, tuple(dict.fromkeys(lossy)))


def _divergence(part: Guarantee, orders: Floats) -> Floats | None:
    """Limits on its Rényi divergences; None where there are none."""
    if part.composes_by == "orders":
        return None if part.divergences is None else part.divergences.limits(orders)
    from dprisk.losses.base import divergence

    pairs, _ = dominating(part)
    total = np.zeros_like(orders)
    for pair, count in pairs:
        if any(loss.infinite for _, loss in pair.directions()):
            return None
        total += count * divergence(pair, orders - 1.0)
    return np.asarray(np.maximum(total, 0.0) * (1.0 + 1e-14))


def _advanced(parts: list[Guarantee], times: list[int], slack: float | None) -> Composed:
    if not _are_points(parts):
        _refuse(parts, "advanced")
    points = [part.additive_parameters["approximate"].numbers for part in parts]
    epsilon, delta = ([float(point[name]) for point in points] for name in ("epsilon", "delta"))
    total = advanced(epsilon, delta, times, scalar("slack", slack, SLACK))
    return Composed(ApproxDP(*total, neighbors=parts[0].neighbors), ADVANCED_COMPOSITION)


def _refuse(parts: list[Guarantee], rule: Rule) -> Composed:
    names = ", ".join(sorted({part.definition for part in parts}))
    fix = 'It is about pure and approximate DP; use rule="best".'
    fix = 'rule="best" takes them all.' if rule == "simple" else fix
    raise Meaningless(f"The {rule} rule does not combine these definitions: {names}.", fix)


def check_effort(accuracy: float | None, memory: float, slack: float | None) -> None:
    """Refuse numbers that would be wrong wherever they are used, even where they are not."""
    scalar("memory", memory, BYTES)
    if accuracy is not None:
        scalar("accuracy", accuracy, WIDTHS)
    if slack is not None:
        scalar("slack", slack, SLACK)


def _check(parts: list[Guarantee], times: list[int]) -> None:
    if not parts:
        raise InvalidInput("guarantees", parts, "at least one guarantee")
    if len(times) != len(parts):
        raise InvalidInput("counts", len(times), f"one for each of the {len(parts)} guarantees")
    for count in times:
        if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1:
            raise InvalidInput("count", count, "a whole number of at least 1")
    if len({part.neighbors for part in parts}) > 1:
        raise Meaningless(
            "These guarantees are about different neighbors (add-remove and replace-one) and do "
            "not compose.",
            'Convert the add-remove ones with .for_neighbors("replace-one").',
        )


# --- promises, read as losses ---------------------------------------------------------------------


def dominating(part: Guarantee) -> tuple[Dominating, str]:
    """Losses that dominate all mechanisms that keep a promise, and what that gave away."""
    known = part.dominating
    return _by_profile(part) if known is None else (known, part.read_as)


@lru_cache(maxsize=64)
def _by_profile(part: Guarantee) -> tuple[Dominating, str]:
    places, values = part._points
    some = np.isfinite(places)
    curve = np.concatenate([[0.0], places[some]])
    delta = np.concatenate([[float(part.advantage())], values[some]])
    # what is left at the last is revealed
    if some.any() and delta[1] > (1.0 + 1e-9) * (least := CHANCES[some][0]):
        curve[1] = float(part.epsilon(least))
        delta[1] = float(part.delta(curve[1]))
    sampled = ApproxDPCurve(curve, delta, neighbors=part.neighbors)
    loss = polygon_loss(sampled._envelope)
    note = english("composition.read-by.points", number=len(curve))
    return dominated_by(loss, part.definition), note


def lower_end(composed: Composed, found: Answer) -> float | None:
    """The other end of an upper bound, where some releases reach what the guarantee allows."""
    lower = found.bracket[0]
    return float(lower) if is_tight(composed) and lower is not None else None


def least_epsilon(composed: Composed, delta: float) -> tuple[float | None, Answer]:
    """The epsilon below which none holds, where that is known; and the least that is known to."""
    found = composed.guarantee.epsilon(delta)
    if math.isinf(found) and is_tight(composed):
        revealed = composed.guarantee.delta(math.inf).bracket[0]
        if revealed is not None and revealed > delta:  # outright: then no epsilon is enough
            return math.inf, found
    return lower_end(composed, found), found


def is_tight(composed: Composed) -> bool:
    """Whether some releases that keep these promises do just what the guarantee allows."""
    whole = composed.guarantee
    exact = whole.composes_by == "parameters" or not whole.is_stated
    return (exact or composed.is_alone) and not composed.lossy
