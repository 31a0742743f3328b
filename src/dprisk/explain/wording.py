"""One honest sentence for each result: at most, at least, under which assumptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dprisk.explain.rounding import at_most, chances

if TYPE_CHECKING:
    from dprisk.assessment import Assessment, Finding, Statement
    from dprisk.releases.release import Part, Release

__all__ = ["describe", "headline", "sentences"]

SECRETS = {
    "membership": "{who} is in the data",
    "attribute": "the record of {who} says one thing rather than another",
}
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
}


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
    relation = f"{release.neighbors} neighbors" + ("" if release.neighbors_stated else ", assumed")
    model = f"{release.model} model" if release.model else "model not stated"
    about = f"({unit}, {period}, {relation}, {model})"
    times = f", {release.releases} times over" if release.releases > 1 else ""
    line = f"The release promises {promises(statement)}{times} {about}"
    composed = len(statement.parts) > 1 or release.releases * statement.parts[0].count > 1
    if not composed:
        return line + "."
    whole = _named(statement.composed.guarantee.definition, statement.composed.guarantee.parameters)
    return f"{line}: together at most {whole} ({statement.composed.theorem.says})."


def promises(statement: Statement) -> str:
    """The parameters as given, part by part."""
    return " and ".join(_promise(part) for part in statement.parts)


def _promise(part: Part) -> str:
    times = f"{part.count} × " if part.count > 1 else ""
    label = f" for {part.label}" if part.label else ""
    given = dict(part.given)
    if "kind" not in given:
        return times + _named(part.guarantee.definition, given) + label
    kind = given.pop("kind").replace("-", " ")
    noise = ", ".join(f"{name} {value}" for name, value in given.items())
    keeps = _named(part.guarantee.definition, part.guarantee.parameters)
    return f"{times}{kind} with {noise} (so {keeps}){label}"


def _named(definition: str, parameters: Any) -> str:
    shown = [
        f"{SYMBOLS[name]} = {value if isinstance(value, str) else at_most(value, 6)}"
        for name, value in parameters.items()
        if name in SYMBOLS and isinstance(value, str | float)
    ]
    approximate = "δ-approximate " if definition == "concentrated" and "delta" in parameters else ""
    return f"{approximate}{NAMES[definition]}" + (f" with {', '.join(shown)}" if shown else "")


def _belief(assessment: Assessment, statement: Statement, finding: Finding) -> str:
    secret = SECRETS[assessment.adversary.secret].format(who=_who(assessment.release))
    return (
        f"Somebody who puts the chances that {secret} at {_given(finding)} may put them, having "
        f"seen the results, {_high(finding)} and {_low(finding)} ({_confidence(statement)})."
    )


def _with_data(release: Release, finding: Finding) -> str:
    who = _who(release)
    return (
        f"Where results made without the data of {who} would lead somebody to put the chances of "
        f"something about {who} at {_given(finding)}, results made with them lead to "
        f"{_high(finding, '')} (always, if {who} is independent of all others)."
    )


def _who(release: Release) -> str:
    """Whom the promise is about: the privacy unit, which need not be a person."""
    unit = release.normalized_unit
    return "the person" if unit in PERSONS else f"the {str(unit).replace(' + ', ' or ')}"


def _given(finding: Finding) -> str:
    return f"{100 * (finding.prior or 0.0):.6g} in 100"


def _high(finding: Finding, at: str = "at ") -> str:
    shown = chances(finding.upper, upper=True)
    if shown.startswith("more"):
        return "even above 99 in 100"
    return "below 1 in 100" if shown.startswith("fewer") else f"{at}{shown} at most"


def _low(finding: Finding) -> str:
    shown = chances(finding.lower, upper=False)
    if shown.startswith("more"):
        return "above 99 in 100"
    return "even below 1 in 100" if shown.startswith("fewer") else f"at {shown} at least"


def _anybody(statement: Statement) -> str:
    finding = statement.find("difference")
    worst = finding.worst_priors[1] if finding.worst_priors else 0.5
    points = at_most(100 * finding.upper, 2)
    return (
        "Whatever somebody thought before, the results can move the belief up or down by at most "
        f"{points} percentage points; most for somebody who starts near {worst:.0%} "
        f"({_confidence(statement)})."
    )


def _confidence(statement: Statement) -> str:
    if statement.confidence is None:
        return "always"
    return f"with a confidence of at least {100 * statement.confidence:.12g}%"


def _tightest(assessment: Assessment) -> Statement:
    return min(assessment.statements, key=lambda statement: float(statement.loss))
