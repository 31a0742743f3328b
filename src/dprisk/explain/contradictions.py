"""What a release cannot keep, and what its numbers rest on, in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dprisk._values import brief
from dprisk.composition.basis import basis_of
from dprisk.explain.promises import in_words, named_noise
from dprisk.explain.rounding import at_least, at_most, rounded, short
from dprisk.text import count, fill

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dprisk.composition.basis import Contradiction
    from dprisk.releases.release import Part, Release


DIGITS = range(4, 18)
LONGEST = 10  # characters of a number that is repeated as it was given
LISTED = 4  # of what is published exactly
LETTERS = 160


def framed(release: Release, lines: Iterable[str], *, several: bool = False) -> tuple[str, ...]:
    """Sentences about a release: first what it cannot keep, last what the numbers rest on."""
    return (*contradictions(release), *lines, *conditions(release, several=several))


def contradictions(release: Release) -> tuple[str, ...]:
    """A sentence for every statement that a release cannot keep, with both numbers."""
    return tuple(cannot_keep(found) for found in basis_of(release).contradicted)


def cannot_keep(found: Contradiction, release: str = "") -> str:
    """What was stated, and what was run; with the name of the release where there are several."""
    promise = in_words((found.stated,))
    of = {"release": release} if release else {}
    return fill(f"contradicted{'.of' if of else ''}", promise=promise, why=why(found), **of)


def conditions(release: Release, *, several: bool = False) -> tuple[str, ...]:
    """What the numbers rest on where more than one thing may hold, and what they leave aside."""
    counted, exact = basis_of(release), release.invariants
    lines = []
    if counted.others:
        also = fill("or").join(map(in_words, counted.others))
        run = named_noise(counted.parts) == "known"
        key = "run" if run and counted.rests_on == "parts" else str(counted.rests_on)
        key = "each" if several else key
        lines.append(fill(f"rests.{key}", used=in_words(counted.parts), also=also))
    if exact:
        lines.append(apart_from(exact))
    return tuple(lines)


def apart_from(exact: Sequence[str]) -> str:
    """What no limit covers, as it is published without noise: the first few, briefly."""
    most = LETTERS // min(len(exact), LISTED)
    listed = "; ".join(brief(text, most=most) for text in exact[:LISTED])
    more = len(exact) - LISTED
    listed += f"; {fill('summary.more', count=count(more))}" if more > 0 else ""
    return fill("rests.exact", exact=listed.rstrip("."))


def why(found: Contradiction) -> str:
    curve = ""
    kind: str = found.quantity
    if kind == "epsilon":
        curve = "" if "approximate" in found.stated.guarantee.summands else ".curve"
        kind = "endless" if math.isinf(found.certified) else "epsilon"
    claimed, certified = found.claimed, found.certified
    if kind == "divergence" and _is_slope(found.stated):
        kind, claimed, certified = "rho", claimed / found.at, certified / found.at
    certified = 1.0 if math.isclose(certified, 1.0, rel_tol=1e-13) else certified
    least, most = _apart(certified, claimed)
    words = {"at": short(found.at), "certified": least, "claimed": most}
    return fill(f"contradicted.{kind}{curve}", **words)


def _is_slope(stated: Part) -> bool:
    """Whether one number limits the divergences, in proportion to their order."""
    numbers = stated.guarantee.parameters
    return stated.guarantee.definition == "concentrated" and not numbers.get("xi")


def _apart(least: float, most: float) -> tuple[str, str]:
    """Both numbers with as many digits as it takes to tell them apart."""
    for digits in DIGITS:
        low, high = rounded(least, digits, upper=False), rounded(most, digits, upper=True)
        if float(low) > float(high):
            break
    given = short(most)
    return at_least(least, digits), given if len(given) <= LONGEST else at_most(most, digits)
