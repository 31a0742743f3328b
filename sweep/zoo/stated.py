"""What was run beside what is stated: a contradiction is certain, and never missed by far."""

from __future__ import annotations

from random import Random

from flint import arb

from sweep.asking import guarded
from sweep.drawing import relation, spread
from sweep.holding import bound, claim
from sweep.tally import Tally
from sweep.truth.balls import between, exact
from sweep.truth.promises import Normal

__all__ = ["STATED"]

NEAR = arb("1e-6")  # relative: what nearer statements are may not be said
FACTORS = (0.1, 0.9, 0.999, 1.0, 1.001, 1.1, 10.0)


def statements(rng: Random, tally: Tally) -> None:
    """A release whose statement may be false, counted in every way."""
    who = relation(rng)
    draw = rng.choice((_normal, _laplace))
    part, stated, gap, certified = draw(rng, who)
    key = ("basis_of", stated.partition("(")[0], who)
    release = f"replace(Release.of({part}), stated_also=(Part({stated}),))"
    found = guarded(tally, key, f"basis_of({release}).contradicted")
    made = guarded(tally, key, f"assess({release}, prior=0.1)")
    if found is None or made is None:
        return
    if abs(gap) > NEAR:
        claim(tally, key, release, bool(found) == bool(gap > 0), found, gap)
    claim(tally, key, release, made.contradicted == found, made.contradicted, found)
    claim(tally, key, release, made.kept != bool(found), made.kept, found)
    if found and certified is not None:
        bound(tally, key, release, found[0].certified, between(certified), downwards=True)


def _normal(rng: Random, who: str) -> tuple[str, str, arb, arb | None]:
    sigma, count = spread(rng, 0.2, 50.0), rng.choice((1, 1, 4, 30))
    part = f"Part.of(Gaussian({sigma!r}, 1.0, neighbors={who!r}), {count})"
    mu, factor = arb(count).sqrt() / exact(sigma), rng.choice(FACTORS)
    form = rng.choice(("pure", "mu", "rho", "approximate"))
    if form == "pure":
        said = spread(rng, 0.01, 1e4)
        return part, f"PureDP({said!r}, neighbors={who!r})", arb(1), None
    if form == "mu":
        said = float(mu.mid()) * factor
        return part, f"GaussianDP({said!r}, neighbors={who!r})", _gap(mu, said), None
    if form == "rho":
        said = float((mu**2 / 2).mid()) * factor
        return part, f"ZeroConcentratedDP({said!r}, neighbors={who!r})", _gap(mu**2 / 2, said), None
    epsilon, delta = spread(rng, 0.01, 20.0), spread(rng, 1e-9, 0.1)
    truth = Normal(mu).delta(exact(epsilon))
    stated = f"ApproxDP({epsilon!r}, {delta!r}, neighbors={who!r})"
    return part, stated, _gap(truth, delta), None


def _laplace(rng: Random, who: str) -> tuple[str, str, arb, arb | None]:
    scale, factor = spread(rng, 0.1, 50.0), rng.choice(FACTORS)
    part = f"Laplace({scale!r}, 1.0, neighbors={who!r})"
    epsilon = 1 / exact(scale)
    if rng.random() < 0.5:
        said = float(epsilon.mid()) * factor
        return part, f"PureDP({said!r}, neighbors={who!r})", _gap(epsilon, said), epsilon
    delta = spread(rng, 1e-9, 0.5)
    least = epsilon + 2 * (1 - exact(delta)).log()
    said = max(float(least.mid()) * factor, 0.0)
    return part, f"ApproxDP({said!r}, {delta!r}, neighbors={who!r})", _gap(least, said), None


def _gap(truth: arb, said: float) -> arb:
    """By how much the truth is above what was stated, as a share of the latter."""
    return truth / exact(said) - 1 if said > 0 else truth


STATED = {"statements": statements}
