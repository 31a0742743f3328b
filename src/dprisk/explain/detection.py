"""Tests of an output in words: how many true alarms there are for so many false ones."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np

from dprisk.explain.rounding import chances
from dprisk.explain.wording import whom

if TYPE_CHECKING:
    from dprisk.releases.release import Release
    from dprisk.risk import AttackCurve

__all__ = ["alarms"]

CASES = {
    "membership": ("in which {who} is not in the data", "in which {who} is"),
    "attribute": (
        "in which the record of {who} says one thing",
        "in which it says another",
    ),
}
SMALL = 1e-6  # a share that is not written out


def alarms(curve: AttackCurve, release: Release | None = None) -> tuple[str, ...]:
    """Sentences for the advantage, for every level and for every prior.

    Parameters
    ----------
    curve : AttackCurve
        What `Attack.curve` returned.
    release : Release, optional
        What was tested; its privacy unit is whom the secret is about. Left out, a person.

    Returns
    -------
    tuple of str
        Each true by itself, rounded to the safe side: the advantage, then level by level the power
        and what an alarm says at each prior.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.explain import alarms
    >>> from dprisk.risk import attack
    >>> found = attack(PureDP(1.0, neighbors="add-remove")).curve([0.05], [0.1])
    >>> print(*alarms(found), sep="\\n")
    Somebody who has to say which of the two is so, when both are equally likely, is right in at \
most 74 of 100 cases.
    A test that raises a false alarm in 5 of 100 cases in which the person is not in the data \
raises a true one in at most 14 of 100 cases in which the person is.
    At that level, an alarm moves a belief of 10 in 100 in what it signals to at most 24 in 100; \
no alarm moves the 90 in 100 for the opposite to at most 91 in 100.
    """
    who = "the person" if release is None else whom(release)
    lines = [_guess(curve)]
    for at, level in enumerate(curve.levels.tolist()):
        lines.append(_power(curve, at, level, who))
        if 0.0 < level < 1.0 or float(np.asarray(curve.power.value)[at]) > level:
            lines += [_belief(curve, at, which) for which in range(len(curve.priors))]
    return tuple(lines)


def _guess(curve: AttackCurve) -> str:
    right = (1.0 + float(curve.advantage)) / 2.0
    return (
        "Somebody who has to say which of the two is so, when both are equally likely, is right "
        f"in {_cases(right)}."
    )


def _power(curve: AttackCurve, at: int, level: float, who: str) -> str:
    without, within = (text.format(who=who) for text in CASES[curve.secret])
    false = {0.0: "no case", 1.0: "every case"}.get(level, f"{_hundredths(level)} of 100 cases")
    true = _cases(float(np.asarray(curve.power.value)[at]))
    return (
        f"A test that raises a false alarm in {false} {without} raises a true one in {true} "
        f"{within}."
    )


def _belief(curve: AttackCurve, at: int, which: int) -> str:
    prior = curve.priors[which]
    opposite = float(1 - Decimal(repr(prior)))
    alarm, silence = (
        _moved(float(np.asarray(values[which].value)[at]), prior)
        for values in (curve.predictive_values, curve.negative_predictive_values)
    )
    return (
        f"At that level, an alarm moves a belief of {_hundredths(prior)} in 100 in what it signals "
        f"to {alarm}; no alarm moves the {_hundredths(opposite)} in 100 for the opposite to "
        f"{silence}."
    )


def _cases(probability: float) -> str:
    """In so many cases, at most."""
    if probability in (0.0, 1.0):
        return "possibly every case" if probability else "no case"
    shown = chances(probability, upper=True).replace(" in ", " of ")
    before = "possibly " if shown.startswith("more") else "" if shown[0] == "f" else "at most "
    return f"{before}{shown} cases"


def _moved(belief: float, prior: float) -> str:
    """A belief, at most; only who was certain before is so afterwards."""
    shown = chances(belief, upper=True)
    if 0.0 < prior < 1.0 and (belief == 1.0 or shown.startswith("more")):
        return "possibly more than 99 in 100"
    return shown if shown.startswith("fewer") else f"at most {shown}"


def _hundredths(share: float) -> str:
    """A share in hundredths, to the last digit given."""
    exact = (100 * Decimal(repr(share))).normalize()
    return f"{exact:e}" if 0.0 < share < SMALL else f"{exact:f}"
