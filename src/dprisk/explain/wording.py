"""One honest sentence for each result: at most, at least, under which assumptions."""

from __future__ import annotations

import math
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from dprisk.explain.rounding import at_most, chances

if TYPE_CHECKING:
    from dprisk.assessment import Assessment, Finding, Statement
    from dprisk.composition import Composed
    from dprisk.guarantees.base import Guarantee
    from dprisk.releases.release import Part, Release

__all__ = ["describe", "headline", "sentences"]

SECRETS = {
    "membership": "{who} is in the data",
    "attribute": "the record of {who} says one thing rather than another",
}
LOWEST, HIGHEST = "below 1 in 100", "above 99 in 100"
FEW = 4
PERSONS = frozenset({None, "person", "user"})
SYMBOLS = {
    "epsilon": "ε",
    "delta": "δ",
    "rho": "ρ",
    "mu": "μ",
    "alpha": "α",
    "gamma": "γ",
    "xi": "ξ",
}
MECHANISMS = {
    "randomized-response": "randomized response",
    "geometric": "geometric noise",
    "laplace": "Laplace noise",
    "gaussian": "Gaussian noise",
    "discrete-gaussian": "discrete Gaussian noise",
    "sample-release": "a sample of the records themselves",
    "subsampled-gaussian": "Gaussian noise on a random part of the records",
    "subsampled-laplace": "Laplace noise on a random part of the records",
}
NAMES = {
    "pure": "pure DP",
    "approximate": "approximate DP",
    "approximate-curve": "approximate DP (a curve)",
    "probabilistic": "probabilistic DP",
    "bounded": "probabilistically bounded DP",
    "tradeoff": "f-DP",
    "gaussian": "Gaussian DP",
    "renyi": "Rényi DP",
    "concentrated": "zCDP",
    "privacy-loss": "a known privacy loss",
}
SHOWN_AT = 1e-9  # the delta at which a curve is shown as one point


def headline(assessment: Assessment) -> str:
    """The assessment in one sentence, for a reader without any background.

    Parameters
    ----------
    assessment : Assessment
        With or without a number that could be assessed.

    Returns
    -------
    str
        About the middle one of the adversary's priors; rounded to the safe side.

    Examples
    --------
    >>> from dprisk import ApproxDP, Adversary, assess
    >>> from dprisk.explain import headline
    >>> survey = ApproxDP(0.1, 1e-7, neighbors="add-remove")
    >>> print(headline(assess(survey, Adversary(priors=(0.5,), confidence=0.99))))
    Somebody who puts the chances that the person is in the data at 50 in 100 may put them, having \
seen the results, at 53 in 100 at most and at 47 in 100 at least (with a confidence of at least \
99%).
    """
    if not assessment.statements:
        return f"{assessment.release.name} cannot be assessed. {assessment.reason}"
    priors = assessment.adversary.priors
    statement = _tightest(assessment)
    finding = statement.find("posterior", priors[len(priors) // 2])
    return _belief(assessment, statement, finding)


def sentences(assessment: Assessment) -> tuple[str, ...]:
    """A sentence for the guarantee, for every prior, and for all priors at once.

    Parameters
    ----------
    assessment : Assessment
        With or without a number that could be assessed.

    Returns
    -------
    tuple of str
        Each true by itself, with its direction and confidence.

    Examples
    --------
    >>> from dprisk import PureDP, Adversary, assess
    >>> from dprisk.explain import sentences
    >>> result = assess(PureDP(1.0, neighbors="add-remove"), Adversary(priors=(0.1,)))
    >>> len(sentences(result))
    4
    """
    if not assessment.statements:
        return (headline(assessment),)
    lines = []
    for statement in assessment.statements:
        lines.append(describe(assessment.release, statement))
        for prior in assessment.adversary.priors:
            lines.append(_belief(assessment, statement, statement.find("posterior", prior)))
            lines += [
                _with_data(assessment.release, finding)
                for finding in statement.findings
                if finding.metric == "with_data" and finding.prior == prior
            ]
        lines.append(_anybody(statement))
    return tuple(lines)


def describe(release: Release, statement: Statement) -> str:
    """What is promised, about whom, over which time, for which neighbors and in which model.

    Parameters
    ----------
    release : Release
        The release.
    statement : Statement
        One way in which its promise is stated.

    Returns
    -------
    str
        One sentence.

    Examples
    --------
    >>> from dprisk import PureDP, assess
    >>> from dprisk.explain import describe
    >>> result = assess(PureDP(1.0, neighbors="add-remove"))
    >>> describe(result.release, result.statements[0])
    'The release promises pure DP with ε = 1.0 (unit not stated, period not stated, add-remove \
neighbors, model not stated).'
    """
    unit = f"unit: {release.unit}" if release.unit else "unit not stated"
    period = f"period: {release.period}" if release.period else "period not stated"
    relation = f"{release.neighbors} neighbors" + ("" if release.neighbors_stated else " assumed")
    model = f"{release.model} model" if release.model else "model not stated"
    about = f"({unit}, {period}, {relation}, {model})"
    times = f", {release.releases} times over" if release.releases > 1 else ""
    line = f"The release promises {promises(statement)}{times} {about}"
    composed = len(statement.parts) > 1 or release.releases * statement.parts[0].count > 1
    if not composed:
        return line + "."
    whole = whole_promise(statement.composed.guarantee)
    return f"{line}: together at most {whole} ({statement.composed.theorem.says})."


def whole_promise(guarantee: Guarantee) -> str:
    """A guarantee by its parameters; a curve that has none, by one of its points."""
    if guarantee.definition != "privacy-loss":
        return _named(guarantee.definition, guarantee.parameters)
    epsilon, delta = _point(guarantee)
    return f"{_named('approximate', {'epsilon': epsilon, 'delta': delta})}, a point on one curve"


def how_composed(composed: Composed) -> str:
    """What was done to get one guarantee for all parts."""
    rule = f"({composed.theorem}: {composed.theorem.says})"
    if composed.guarantee.definition != "privacy-loss":
        return f"Composed to {composed.guarantee!r} {rule}."
    parts = ", ".join(composed.guarantee.parameters["parts"]).replace(" x ", " × ")
    if composed.guarantee.parameters["own"]:
        return f"The privacy losses of what was run were added up: {parts} {rule}."
    return (
        f"The privacy losses of the worst that can keep the promises were added up: {parts} {rule}."
    )


@lru_cache(maxsize=64)
def _point(guarantee: Guarantee) -> tuple[float, float]:
    """epsilon at a small delta; at a larger one where that much is given away."""
    revealed = float(guarantee.delta(math.inf))
    if revealed > 0.1:
        return 0.0, float(guarantee.delta(0.0))
    least = max(SHOWN_AT, 10.0 ** math.ceil(math.log10(2.0 * revealed)) if revealed else 0.0)
    return float(guarantee.epsilon(least)), least


def promises(statement: Statement) -> str:
    """The parameters as given, part by part."""
    return " and ".join(part_in_words(part) for part in statement.parts)


def part_in_words(part: Part) -> str:
    """What one part promises, or what was run and what that keeps; and how often."""
    times = f"{part.count} × " if part.count > 1 else ""
    label = f" for {part.label}" if part.label else ""
    given = dict(part.given)
    if "kind" not in given and part.guarantee.definition == "privacy-loss":
        return f"{times}{NAMES['privacy-loss']} ({given['parts']}){label}"
    if "kind" not in given:
        keeps = _named(part.guarantee.definition, given)
        run = "" if part.mechanism is None else f"{part.mechanism.losses().label}, which keeps "
        return f"{times}{run}{keeps}{label}"
    kind = given.pop("kind")
    details = ", ".join(f"{name} {value}" for name, value in given.items())
    keeps = _named(part.guarantee.definition, part.guarantee.parameters)
    return f"{times}{MECHANISMS.get(kind, kind)} ({details}), which keeps {keeps}{label}"


def _named(definition: str, parameters: Any) -> str:
    shown = [
        f"{SYMBOLS[name]} = {_value(value)}"
        for name, value in parameters.items()
        if name in SYMBOLS and (isinstance(value, str | float) or len(value) <= FEW)
    ]
    approximate = "δ-approximate " if definition == "concentrated" and "delta" in parameters else ""
    return f"{approximate}{NAMES[definition]}" + (f" with {', '.join(shown)}" if shown else "")


def _value(value: Any) -> str:
    """Text as given, or a number on the safe side; a few of them in brackets."""
    if isinstance(value, float):
        return at_most(value, 6)
    listed = [piece.strip() for piece in value.split(",")] if isinstance(value, str) else value
    shown = [piece if isinstance(piece, str) else at_most(piece, 6) for piece in listed]
    return shown[0] if len(shown) == 1 else f"({', '.join(shown)})"


def _belief(assessment: Assessment, statement: Statement, finding: Finding) -> str:
    secret = SECRETS[assessment.adversary.secret].format(who=whom(assessment.release))
    return (
        f"Somebody who puts the chances that {secret} at {_given(finding)} may put them, having "
        f"seen the results, {_between(finding)} ({_confidence(statement)})."
    )


def _with_data(release: Release, finding: Finding) -> str:
    who = whom(release)
    return (
        f"Where results made without the data of {who} would lead somebody to put the chances of "
        f"something about {who} at {_given(finding)}, results made with them lead to "
        f"{_high(_end(finding, upper=True))} (whatever they turn out to be, if {who} is "
        "independent of all others)."
    )


def whom(release: Release) -> str:
    """Whom the promise is about: the privacy unit, which need not be a person."""
    unit = release.normalized_unit
    if unit in PERSONS:
        return "the person"
    every = " of every release" if release.releases > 1 else ""
    return f"the {str(unit).replace(' + ', ' or ')}{every}"


def _given(finding: Finding) -> str:
    return f"{_hundredths(finding.prior or 0.0)} in 100"


def _between(finding: Finding) -> str:
    low, high = _end(finding, upper=False), _end(finding, upper=True)
    if low == high and high in (LOWEST, HIGHEST):
        return f"{high} in any case"
    if (low, high) == (LOWEST, HIGHEST):
        return f"anywhere from {low} to {high}"
    at = "" if high in (LOWEST, HIGHEST) else "at "
    lower = f"even {LOWEST}" if low == LOWEST else low if low == HIGHEST else f"at {low} at least"
    return f"{at}{_high(high)} and {lower}"


def _high(end: str) -> str:
    return {HIGHEST: f"even {HIGHEST}", LOWEST: LOWEST}.get(end, f"{end} at most")


def _end(finding: Finding, *, upper: bool) -> str:
    """One end, in words near certainty; only who was certain before is so afterwards."""
    value = finding.upper if upper else finding.lower
    open_minded = 0.0 < (finding.prior or 0.0) < 1.0
    shown = chances(value, upper=upper)
    if shown.startswith("more") or (open_minded and value == 1.0):
        return HIGHEST
    return LOWEST if shown.startswith("fewer") or (open_minded and value == 0.0) else shown


def _anybody(statement: Statement) -> str:
    finding = statement.find("difference")
    start = "Whatever somebody thought before, the results"
    if float(statement.loss) == 0.0:
        return f"{start} do not move the belief ({_confidence(statement)})."
    points = f"at most {_hundredths(at_most(finding.upper, 2))}"
    if finding.upper > 0.99:
        points = "even more than 99"
    down, up = map(_near, finding.worst_priors or (0.5, 0.5))
    who = f"starts {up}" if up == down else f"starts {up} (up) or {down} (down)"
    return (
        f"{start} can move the belief up or down by {points} percentage points; most for somebody "
        f"who {who} ({_confidence(statement)})."
    )


def _near(prior: float) -> str:
    """A prior in words; it was computed, so it is rounded to the nearest."""
    whole = round(100 * prior)
    return LOWEST if whole < 1 else HIGHEST if whole > 99 else f"near {whole} in 100"


def _hundredths(share: float | str) -> str:
    """A share in hundredths, to the last digit given: rounded, one near 1 would look certain."""
    exact = 100 * Decimal(str(share))
    plain = f"{exact.normalize():f}"
    return plain if len(plain) <= 24 else f"{exact.normalize():e}"


def _confidence(statement: Statement) -> str:
    if statement.confidence is None:
        return "whatever the results turn out to be"
    return f"with a confidence of at least {_hundredths(statement.confidence)}%"


def _tightest(assessment: Assessment) -> Statement:
    return min(assessment.statements, key=lambda statement: float(statement.loss))
