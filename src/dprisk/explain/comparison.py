"""With a record and without it, in words."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from dprisk.explain.rounding import chances

if TYPE_CHECKING:
    from dprisk.assessment import Compared
    from dprisk.risk import Counterfactual

__all__ = ["comparisons"]

WHO = {
    "true-record": "For somebody who knows every other record",
    "rest-known": "For somebody who knows every other record, and how likely yours is to say what",
    "arbitrary-prior": "For somebody who is right about how records come about",
    "wrong-prior": "For anybody, however wrong about the data",
}
CLAIMS = {
    "true-record": "what it really says",
    "rest-known": "one thing that it may say",
    "arbitrary-prior": "what it really says",
    "wrong-prior": "one thing that it may say",
}


def comparisons(made: Compared) -> tuple[str, ...]:
    """A sentence for every adversary, belief and confidence, true by itself.

    Parameters
    ----------
    made : Compared
        What `compared` returned.

    Returns
    -------
    tuple of str
        Chances in 100, rounded to the safe side.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.assessment import compared
    >>> from dprisk.explain import comparisons
    >>> from dprisk.releases import Part, Release
    >>> release = Release(
    ...     name="Survey",
    ...     unit="person",
    ...     period="once",
    ...     neighbors="replace-one",
    ...     neighbors_stated=True,
    ...     model="central",
    ...     parts=(Part(PureDP(1.0, neighbors="replace-one")),),
    ... )
    >>> print(*comparisons(compared(release, adversaries=["wrong-prior"])))
    For anybody, however wrong about the data: if results made without your record put the chances \
of one thing that it may say at 10 in 100, the same results made with it put them at 28 in 100 at \
most (whatever the results turn out to be).
    """
    return tuple(
        _sentence(each, belief, confidence)
        for each in made.found
        for confidence in sure(each, made.confidences)
        for belief in made.without
    )


def sure(each: Counterfactual, confidences: tuple[float, ...]) -> tuple[float | None, ...]:
    """The confidences to ask about: certainty alone where a bound is certain."""
    return (None,) if each.adversary == "wrong-prior" else confidences


def _sentence(each: Counterfactual, belief: float, confidence: float | None) -> str:
    most = float(each.belief(belief, confidence))
    always = "whatever the results turn out to be"
    if confidence is not None:
        always = f"with a confidence of at least {_hundredths(confidence)}%"
    said = "anywhere up to certainty"
    if most < 1.0:
        said = "anywhere up to above 99 in 100"
    if most <= 0.99:
        said = f"at {chances(most, upper=True)}" + (" at most" if most >= 0.01 else "")
    return (
        f"{WHO[each.adversary]}: if results made without your record put the chances of "
        f"{CLAIMS[each.adversary]} at {_hundredths(belief)} in 100, the same results made with it "
        f"put them {said} ({always})."
    )


def _hundredths(share: float) -> str:
    """A share in hundredths, to the last digit given."""
    exact = (100 * Decimal(repr(share))).normalize()
    plain = f"{exact:f}"
    return plain if len(plain) <= 24 else f"{exact:e}"
