"""The parts of a release as one guarantee: mechanisms by their own loss, the rest by promise."""

from __future__ import annotations

from dataclasses import replace

from dprisk.composition import Composed, Rule, compose
from dprisk.guarantees.base import Guarantee
from dprisk.guarantees.gaussian import GaussianDP
from dprisk.guarantees.loss import PrivacyLoss
from dprisk.guarantees.pure import PureDP
from dprisk.guarantees.refining import MEMORY
from dprisk.releases.release import Part, Release
from dprisk.sources import Theorem

__all__ = ["all_keep", "by_losses", "by_promises", "counts", "is_tight", "pure_sum"]

OWN = Theorem("P0", "Theorem 3.1", "the mechanism's own privacy loss")


def counts(parts: tuple[Part, ...], release: Release) -> list[int]:
    """How often each part is used, over all releases."""
    return [part.count * release.releases for part in parts]


def all_keep(parts: tuple[Part, ...], kind: type[Guarantee]) -> bool:
    """Whether every part promises the same definition."""
    return all(isinstance(part.guarantee, kind) for part in parts)


def by_losses(
    parts: tuple[Part, ...],
    times: list[int],
    accuracy: float | None = None,
    memory: float = MEMORY,
) -> Composed:
    """The best that is known: losses of mechanisms by themselves, of promises by their worst."""
    known = [part.for_composition() for part in parts]
    done = compose(known, times, accuracy=accuracy, memory=memory)
    alone = len(parts) == 1 and times == [1] and parts[0].mechanism is not None
    return replace(done, theorem=OWN) if alone else done


def by_promises(
    parts: tuple[Part, ...],
    times: list[int],
    rule: Rule,
    slack: float | None = None,
    accuracy: float | None = None,
    memory: float = MEMORY,
) -> Composed:
    """By a rule about what is promised; of a mechanism, only its promise is used."""
    guarantees = [part.guarantee for part in parts]
    done = compose(guarantees, times, rule=rule, slack=slack, accuracy=accuracy, memory=memory)
    read = tuple(
        f"{part.mechanism!r} was read as {part.guarantee!r}"
        for part in parts
        if part.mechanism is not None and not isinstance(part.guarantee, GaussianDP)
    )
    return replace(done, lossy=(*dict.fromkeys(read), *done.lossy)) if read else done


def pure_sum(parts: tuple[Part, ...], times: list[int]) -> PureDP | None:
    """What the promises add up to, where all of them are pure DP."""
    if not all_keep(parts, PureDP):
        return None
    whole = compose([part.guarantee for part in parts], times, rule="simple").guarantee
    return whole if isinstance(whole, PureDP) else None


def is_tight(composed: Composed) -> bool:
    """Whether some releases that keep these promises do just what the guarantee allows.

    Losses were added up exactly, unless parts were first weakened; sums of parameters promise
    more than any of them keeps.
    """
    exact = isinstance(composed.guarantee, PrivacyLoss | GaussianDP)
    stated = composed.theorem.place == "Definition 2.1"
    return (exact or stated) and not composed.lossy
