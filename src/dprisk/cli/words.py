"""Numbers and sentences that several commands print alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dprisk.cli.show import section
from dprisk.composition.basis import basis_of
from dprisk.documents.document import Section
from dprisk.text.rounding import at_most

if TYPE_CHECKING:
    from dprisk.documents.findings import Assessment, LimitCheck
    from dprisk.guarantees.composed import Composed
    from dprisk.releases.release import Part, Release

ALMOST = 0.9999  # a chance that is possibly larger is not written out


def belief(prior: float) -> str:
    """A prior as it was given: rounded, one near 1 would look certain."""
    short = f"{prior:g}"
    return short if float(short) == prior else repr(prior)


def share(bound: float, *, certain: bool = False) -> str:
    """An upper bound on a probability: nearly certain is said to be so, not written out."""
    return "possibly over 0.9999" if bound > ALMOST and not certain else at_most(bound)


def most(bound: float, *, certain: bool = False) -> str:
    """The same in a sentence, with its direction."""
    said = share(bound, certain=certain)
    return said if bound > ALMOST and not certain else f"at most {said}"


def sure(confidence: float | None) -> str:
    """With certainty, or with what confidence."""
    return "always" if confidence is None else f"with confidence {belief(confidence)}"


def title(release: Release) -> str:
    """The name of what is released, and by whom."""
    return f"{release.name}, {release.curator}" if release.curator else release.name


def parts(release: Release, heading: str, more: str = "") -> Iterator[Section]:
    """The parts of a release, under a heading."""
    from dprisk.documents.promises import part_in_words

    many = release.releases
    times = f", in each of {many} releases" if many > 1 else ""
    counted = basis_of(release).parts
    return section(f"{heading}{times}{more}", [part_in_words(part) for part in counted])


def how(composed: Composed, parts: tuple[Part, ...], releases: int) -> list[str]:
    """The composition of parts in words, and then what was lost on the way."""
    from dprisk.documents.promises import how_composed

    said = how_composed(composed, parts, releases)
    return [said, *(f"Loses some precision: {text}." for text in composed.lossy)]


def limits(assessment: Assessment) -> Iterator[str]:
    """Whether each limit is kept."""
    for limit in assessment.limits:
        where = "every prior" if limit.prior is None else f"prior {belief(limit.prior)}"
        is_factor = limit.metric not in ("posterior", "difference")
        shown = most(limit.at_most, certain=is_factor or limit.limit > ALMOST)
        known = f"{shown}, at {where}"
        yield verdict(
            limit, known if assessment.statements else "the release gives no number to check"
        )


def verdict(limit: LimitCheck, why: str) -> str:
    """Whether one limit is kept."""
    kept = "kept" if limit.kept else "NOT KEPT"
    return f"Limit {limit.metric} <= {belief(limit.limit)}: {kept} ({why})"
