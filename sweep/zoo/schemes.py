"""Sampling schemes, selection, shuffling and stairs: single uses with a truth of their own."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from flint import arb

from sweep.asking import Drawn
from sweep.drawing import chance, count, losses, relation, spread
from sweep.truth.balls import ZERO, Judge, exact
from sweep.truth.batches import Allocated, BoundedRange, Capped, shuffled, staircase
from sweep.truth.pairs import Atoms, on_lattice
from sweep.truth.sums import Smooth
from sweep.zoo.losses import SampledOnce, composed, drawn

__all__ = ["SCHEMES"]

ENDS = ("delta", "epsilon")


def _points(rng: Random, size: float, number: int) -> Callable[[str], list[float]]:
    """Losses of a size, and probabilities that are not too far out."""

    def points(question: str) -> list[float]:
        if question == "delta":
            return losses(rng, number, size, 5 * size)
        return [rng.choice((spread(rng, 1e-12, 0.9), rng.random())) for _ in range(number)]

    return points


def allocation(rng: Random) -> Drawn:
    """One of two steps, or of three."""
    steps = rng.choice((2, 2, 3))
    sigma = spread(rng, 0.5, 20.0) if steps == 2 else spread(rng, 1.5, 20.0)
    code = f"RandomAllocation({sigma!r}, 1.0, {steps}, neighbors='add-remove').loss()"
    ways = [Smooth(Allocated(1.0 / sigma, steps, turned), ZERO, 60.0) for turned in (False, True)]
    size, number = 1.0 / sigma, 4 if steps == 2 else 2
    kind = "PrivacyLoss: random allocation"
    found = drawn(
        *(code, kind, "add-remove", ways, False, size, 5 * size),
        number=number,
        own=False,
        points=_points(rng, size, number),
    )
    found.questions = ENDS
    return found


def fixed_batches(rng: Random) -> Drawn:
    """One step under replace-one: the profile of a Poisson sample, in both directions."""
    records = round(spread(rng, 1, 1e6))
    batch = rng.randint(1, records)
    sigma, sensitivity = spread(rng, 0.3, 20.0), spread(rng, 0.2, 2.0)
    code = f"FixedBatches({sigma!r}, {sensitivity!r}, {batch}, {records}, neighbors='replace-one')"
    once = SampledOnce(arb(sigma) / arb(sensitivity), arb(batch) / records, False)
    size = sensitivity / sigma
    kind = "PrivacyLoss: fixed batches"
    found = drawn(
        *(f"{code}.loss()", kind, "replace-one", [Smooth(once, ZERO, 400.0)]),
        *(True, size, 5 * size),
        number=4,
        own=False,
        points=_points(rng, size, 4),
    )
    found.questions = ENDS
    return found


def truncated(rng: Random) -> Drawn:
    """A few records and a cap: some data give at least what is asked to be above them."""
    records = rng.randint(2, 7)
    cap, sigma = rng.randint(1, 4), spread(rng, 0.4, 10.0)
    rate = rng.choice((spread(rng, 1e-3, 1.0), rng.random() or 0.5))
    code = f"TruncatedPoisson({sigma!r}, 1.0, {rate!r}, {cap}, {records}, neighbors='add-remove')"
    truth = Capped(sigma, rate, cap, records)

    def judged(question: str, x: float | arb) -> Judge:
        return truth.judge(question, exact(x))

    size = 1.0 / sigma
    return Drawn(
        *(f"{code}.loss()", "PrivacyLoss: truncated Poisson", "add-remove", judged, size, 5 * size),
        number=3,
        questions=ENDS,
        points=_points(rng, size, 3),
    )


def exponential(rng: Random) -> Drawn:
    """One choice: at each question, the worst window of losses."""
    epsilon, who = spread(rng, 1e-3, 12.0), relation(rng)
    code = f"ExponentialMechanism({epsilon!r}, neighbors={who!r}).loss()"
    truth = BoundedRange(arb(epsilon))
    kind = "PrivacyLoss: exponential mechanism"
    return drawn(code, kind, who, [truth], True, epsilon, epsilon, number=4, own=False)


def shuffled_response(rng: Random) -> Drawn:
    """Few people with two answers: every number of ones among the others."""
    epsilon, people = spread(rng, 1e-2, 6.0), rng.choice((2, 2, 3, 5, 12, 30, 48))
    code = f"ShuffledResponse({epsilon!r}, {people}, neighbors='replace-one').loss()"
    ways = []
    for others in range(people):
        one = Atoms(shuffled(arb(epsilon), people, others))
        ways += [one, one.turned]
    kind = "PrivacyLoss: shuffled response"
    size = epsilon / people**0.5
    return drawn(code, kind, "replace-one", ways, False, size, epsilon, number=4, own=False)


def stairs(rng: Random) -> Drawn:
    """Staircase noise, now and then often."""
    epsilon, who = spread(rng, 1e-2, 10.0), relation(rng)
    gamma = rng.choice((0.0, 0.5, 1.0, rng.random(), rng.random(), chance(rng)))
    k = 1 if rng.random() < 0.5 else count(rng, 300.0)
    sensitivity = rng.choice((1.0, spread(rng, 0.1, 10.0)))
    one = f"Staircase({epsilon!r}, {sensitivity!r}, {gamma!r}, neighbors={who!r}).loss()"
    atoms = on_lattice(staircase(arb(epsilon), arb(gamma)), k)
    code = one if k == 1 else composed([(one, k)])
    kind = "PrivacyLoss: staircase" + ("" if k == 1 else " x k")
    return drawn(code, kind, who, [Atoms(atoms)], True, epsilon, k * epsilon, number=6)


SCHEMES = {
    "random allocation": allocation,
    "fixed batches": fixed_batches,
    "truncated Poisson": truncated,
    "exponential mechanism": exponential,
    "shuffled response": shuffled_response,
    "staircase": stairs,
}
