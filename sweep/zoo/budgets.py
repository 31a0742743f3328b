"""Risk read backwards, and many rows at once."""

from __future__ import annotations

import math
from functools import partial
from random import Random

from flint import arb

from sweep.asking import MOVED, guarded
from sweep.drawing import chance, spread
from sweep.holding import bound, claim, hold
from sweep.tally import Tally
from sweep.truth.balls import ZERO, Judge, between, exact
from sweep.truth.curves import judge
from sweep.truth.pairs import Atoms, on_lattice, response
from sweep.truth.promises import Normal, of_points
from sweep.zoo.beliefs import CONFIDENCES, failure
from sweep.zoo.promises import epsilon_of

__all__ = ["BUDGETS"]


def pointwise(rng: Random, tally: Tally) -> None:
    """The largest epsilon that keeps a ratio at given priors (P3, Theorem 2)."""
    rows = [(1.0 + spread(rng, 1e-6, 1e4), _prior(rng), _prior(rng)) for _ in range(16)]
    ratios, ps, qs = (list(column) for column in zip(*rows, strict=True))
    judges = [_of_ratio(*map(exact, row)) for row in rows]
    code = f"largest_epsilon({ratios!r}, {ps!r}, {qs!r})"
    beside = [partial(_of_ratios_beside, *map(exact, row)) for row in rows]
    key = ("largest_epsilon", "ratio", "add-remove")
    hold(tally, key, code, judges, downwards=True, moved=beside)


def _prior(rng: Random) -> float:
    return rng.choice((1.0, rng.random() or 0.5, spread(rng, 1e-9, 1.0)))


def _of_ratio(r: arb, p: arb, q: arb) -> Judge:
    """Where p q + p (1 - q) x^2 + (1 - p) x = 1 / r, x = e^-epsilon."""

    def kept(e: arb) -> arb:
        x = (-e).exp() if e.is_finite() else ZERO
        return p * q + p * (1 - q) * x**2 + (1 - p) * x - 1 / r

    return Judge(
        lambda e: bool(e.is_finite()) and bool(kept(e) > 0),
        lambda e: bool(e > 0 if e.is_finite() else True) and bool(kept(e) < 0),
    )


def _of_ratios_beside(r: arb, p: arb, q: arb) -> list[Judge | None]:
    return [_of_ratio(r * (1 + sign * MOVED), p, q) for sign in (-1, 1)]


def releases(rng: Random, tally: Tally) -> None:
    """How many releases keep a limit on the posterior, and not one more."""
    e, prior = spread(rng, 0.005, 2.0), rng.choice((0.1, 0.5, 0.01, rng.uniform(0.01, 0.9)))
    posterior = prior + (1 - prior) * rng.uniform(0.02, 0.95)
    confidence = rng.choice((None, *CONFIDENCES))
    sides = rng.choice(("both", "one"))
    limit = f"InformedLimit('posterior', {posterior!r}, {prior!r}, {confidence!r}, sides={sides!r})"
    code = f"most_releases({limit}, PureDP({e!r}, neighbors='add-remove'))"
    key = ("most_releases", f"posterior, {sides}", "add-remove")
    found = guarded(tally, key, code)
    if found is None or found.number is None or found.number > 2000:
        return
    a, p = exact(posterior), exact(prior)
    most = (a / (1 - a)).log() - (p / (1 - p)).log()
    m = 0.0 if confidence is None else failure(confidence)
    n = found.number
    if n:
        claim(tally, key, code, not _loss(e, n, m, sides).above(most), n, "fewer")
    if found.status == "limited" and found.certain:
        fine = not _loss(e, n + 1, m, sides).below(most * (1 - arb("1e-9")))
        claim(tally, key, code, fine, n, "more")


def plans(rng: Random, tally: Tally) -> None:
    """What is reached after as many releases as an account lets through: never too little."""
    e, prior = spread(rng, 0.005, 2.0), rng.choice((0.1, 0.5, 0.01, rng.uniform(0.01, 0.9)))
    posterior = prior + (1 - prior) * rng.uniform(0.02, 0.95)
    rule, done = rng.choice(("pure", "concentrated")), rng.choice((0, 0, 1, 9, 100))
    limit = f"InformedLimit('posterior', {posterior!r}, {prior!r}, {rng.choice(CONFIDENCES)!r})"
    if rule == "pure" and rng.random() < 0.7:
        limit = f"InformedLimit('posterior', {posterior!r}, {prior!r})"
    each = f"PureDP({e!r}, neighbors='add-remove')"
    code = f"plan_by_rule([{limit}], {each}, rule={rule!r}, done={done}).best"
    key = ("plan_by_rule", rule, "add-remove")
    found = guarded(tally, key, code)
    if found is None or not 0 < done + found.number <= 2000:
        return
    a, p, sure = exact(float(found.measured)), exact(prior), found.limit.confidence
    if not a < 1:
        return
    reached = (a / (1 - a)).log() - (p / (1 - p)).log()
    truth = _loss(e, done + found.number, 0.0 if sure is None else failure(sure), "both")
    claim(tally, key, code, not truth.above(reached), found.measured, "less")


def _loss(e: float, n: int, m: float, sides: str) -> Judge:
    truth = Atoms(on_lattice(response(exact(e)), n))
    found = judge(truth, f"loss, {sides}", exact(m))
    assert found is not None
    return found


def apart(rng: Random, tally: Tally) -> None:
    """The largest mu, or epsilon, that keeps a limit."""
    prior = rng.choice((0.1, 0.5, rng.uniform(0.01, 0.9)))
    posterior = prior + (1 - prior) * rng.uniform(0.02, 0.9)
    confidence, sides = rng.choice(CONFIDENCES), rng.choice(("both", "one"))
    definition = rng.choice(("gaussian", "pure", "approximate"))
    limit = f"InformedLimit('posterior', {posterior!r}, {prior!r}, {confidence!r}, sides={sides!r})"
    delta = spread(rng, 1e-9, 0.3) * failure(confidence) if definition == "approximate" else 0.0
    more = f", delta={delta!r}" if delta else ""
    code = f"largest_budget({limit}, {definition!r}{more})"
    key = ("largest_budget", f"{definition}, {sides}", "add-remove")
    found = guarded(tally, key, code)
    if found is None or not 0 < found.value.value < math.inf:
        return
    a, p = exact(posterior), exact(prior)
    most = (a / (1 - a)).log() - (p / (1 - p)).log()

    def kept(x: arb) -> Judge:
        curve = Normal(x) if definition == "gaussian" else of_points([(x, exact(delta))])
        of = judge(curve, f"loss, {sides}", exact(failure(confidence)))
        assert of is not None
        return of

    of = Judge(lambda x: kept(x).below(most), lambda x: kept(x).above(most))
    bound(tally, key, code, found.value.value, of, downwards=True)
    if found.value.other_end is not None:
        bound(tally, key, f"{code}.value.other_end", found.value.other_end, of)


def rows(rng: Random, tally: Tally) -> None:
    """Bounds for many rows (P0, Theorem 3.9)."""
    given = []
    for _ in range(60):
        d = chance(rng) if rng.random() < 0.7 else 0.0
        given.append((chance(rng), epsilon_of(rng), d, chance(rng)))
    columns = [list(column) for column in zip(*given, strict=True)]
    code = f"row_bounds({', '.join(map(repr, columns))})"
    key = ("row_bounds", "rows", "add-remove")
    found = guarded(tally, key, code)
    if found is None:
        return
    parts = ("posterior_lower", "posterior_upper", "ratio_upper", "difference_upper")
    for part in parts:
        values = getattr(found, part)
        for i, row in enumerate(given):
            truth = _row(part, *map(exact, row))
            if truth is None:
                continue
            one = f"row_bounds({', '.join(map(repr, row))}).{part}"
            value = float(values[i])
            bound(tally, (key[0], part, key[2]), one, value, between(truth), part == parts[0])
            far = abs(exact(value) - truth) > abs(truth) * arb("1e-9") + arb("1e-300")
            if math.isfinite(value) and far:
                claim(tally, (key[0], part, key[2]), one, False, value, truth.str(20))


def _row(part: str, p: arb, e: arb, d: arb, m: arb) -> arb | None:
    if d == 0:
        loss = e
    elif m <= d:
        loss = arb.pos_inf()
    else:
        grown = ((m * e.exp() + d) / (m - d)).log() if e.is_finite() else arb.pos_inf()
        loss = grown
    if not loss.is_finite():
        return None
    up, down = loss.exp(), (-loss).exp()
    if part == "posterior_upper":
        return p * up / (p * up + 1 - p)
    if part == "posterior_lower":
        return p * down / (p * down + 1 - p)
    if part == "ratio_upper":
        return 1 / (p + (1 - p) * down)
    return (loss / 4).tanh()


BUDGETS = {
    "largest_epsilon": pointwise,
    "most_releases": releases,
    "plan_by_rule": plans,
    "largest_budget": apart,
    "row_bounds": rows,
}
