"""A release in, a report out: puts the rooms together and computes nothing itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from dprisk._checks import PROBABILITY, scalar, whole
from dprisk.allocation import findings
from dprisk.allocation.allocations import ACCOUNTING, Allocation
from dprisk.allocation.exposure import Exposure
from dprisk.allocation.finding import Findings
from dprisk.composition import compose
from dprisk.composition.analysis import Analysis, asking
from dprisk.composition.basis import basis_of, total_promised, wider
from dprisk.curves.ladder_theorems import climb
from dprisk.curves.rungs import Ladder
from dprisk.documents import assess_counterfactual, assess_tests, compose_release, explain
from dprisk.documents.assessing import Compared, assess, assess_if_any, silent
from dprisk.documents.explaining import Audience, Explanation
from dprisk.documents.findings import Assessment
from dprisk.documents.promises import why
from dprisk.documents.reports.accumulation import UNITS
from dprisk.documents.reports.report import Asked, Labels, Report
from dprisk.errors import DpriskError, InvalidInput, Meaningless, Reason
from dprisk.releases.files import as_release
from dprisk.releases.release import Described, Part, Release
from dprisk.risk.adversary import SECRETS, Adversary, Metric
from dprisk.text import english, fill
from dprisk.text.rounding import at_least, at_most

Made = TypeVar("Made")

DELTAS = (1e-5, 1e-6, 1e-9)
RATIOS = (2.0, 10.0, 100.0)
STEPS = (1, 2, 5)
TOGETHER = "Give the table and the release that belong together."
MOST_SINGLE = 10  # up to so many releases every number is looked at, where that costs little
AHEAD = 10  # releases, where nobody says how many


def report(
    release: Described,
    adversary: Adversary | None = None,
    *,
    priors: Iterable[float] | None = None,
    limits: Mapping[Metric, float] | None = None,
    levels: Sequence[float] = (0.01, 0.05, 0.1),
    upto: int | None = None,
    allocation: Allocation | None = None,
    concerns: Sequence[str] = (),
    labels: Labels | None = None,
) -> Report:
    """All that is known about the disclosure risk of one release, for one document.

    Parameters
    ----------
    release : Release, Guarantee, Mechanism, Composed, str or path
        As for `assess`.
    adversary : Adversary, optional
        Against whom the limits are held; whatever else can be asked stands in the report as well.
        Left out, as for `assess` or, with a claim, as for `explain`; a confidence that is left
        out likewise.
    priors : iterable of float, optional
        Instead of an adversary: beliefs before the release. [0, 1]
    limits : mapping of str to float, optional
        As for `assess`: largest "posterior" and "difference" [0, 1], "odds", "ratio" and
        "ratio_not" [0, inf) tolerated.
    levels : sequence of float
        Probabilities of a false alarm. [0, 1]
    upto : int, optional
        The largest number of releases that is looked at, each of them everything that is described.
        [1, 10^9]. Left out: as many as there are by the labels, and at least ten.
    allocation : Allocation, optional
        How the privacy loss is shared out over queries.
    concerns : sequence of str
        What somebody may worry about: each by itself and, of several, their union; several in one
        text, with a semicolon between them, are one union. Left out: every attribute of the
        allocation.
    labels : Labels, optional
        Who signs, when, a claim in your own words, and the names of the files.

    Returns
    -------
    Report
        With every number, its direction, its theorem and what it takes for granted; what could not
        be worked out is listed with the reason.

    Raises
    ------
    InvalidInput
        If a word is none of those allowed, a concern is unknown, concerns come without an
        allocation, or that spends certainly more than the release promises.
    OutOfRange
        If a number is outside its range.
    Meaningless
        For membership under replace-one neighbors.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.documents import report
    >>> made = report(PureDP(1.0, neighbors="add-remove"), limits={"posterior": 0.8})
    >>> made, made.kept
    (<Report on 'A release': 2 assessments>, True)
    >>> [section.title for section in made.sections()][:3]
    ['Summary', 'What was released', 'Who can learn what']
    """
    printed = labels or Labels()
    described = as_release(release)
    analysis = _counted(described, printed.times)
    who = asking(described, adversary, priors=priors)
    if printed.claim and adversary is None:
        who = replace(who, secret="attribute")
    if concerns and allocation is None:
        fix = "Give the allocation that these concerns are about."
        raise InvalidInput("concerns", concerns[0], "left out without an allocation", fix)
    if isinstance(concerns, str):
        raise InvalidInput("concerns", concerns, "a list", "Put it in a list of its own.")
    if allocation is not None:
        _check_spent(allocation, analysis.release)
    first = _assessed(analysis, who, limits or {})
    asked = Asked(
        adversary=who,
        confidence=first.statements[0].confidence if first.statements else who.confidence,
        levels=tuple(scalar("level", level, PROBABILITY) for level in levels),
        limits=tuple((limit.metric, limit.limit) for limit in first.limits),
        upto=max(AHEAD, printed.times) if upto is None else whole("upto", upto, 1),
        concerns=_concerns(allocation, concerns),
        labels=printed,
    )
    return _gathered(analysis, first, asked, _exposures(allocation, asked.concerns, len(concerns)))


def _check_spent(allocation: Allocation, release: Release) -> None:
    """Refuse a table that spends certainly more than its release promises."""
    most = total_promised(release, ACCOUNTING[allocation.accounting])
    if most is None:
        _check_kept(allocation, release)
    elif allocation.total > wider(most):
        unit = UNITS[allocation.accounting]
        name, spent = f"the sum of {unit} over the allocation", at_least(float(allocation.total), 6)
        allowed = f"at most {at_most(float(most), 6)}, which is what {release.name} promises"
        raise InvalidInput(name, spent, allowed, TOGETHER)


def _check_kept(allocation: Allocation, release: Release) -> None:
    """Refuse a table whose noise certainly breaks a promise of another definition."""
    parts = basis_of(release).parts
    if allocation.noise is None or not parts or any(part.mechanism for part in parts):
        return
    times = [part.count * release.releases for part in parts]
    whole = compose([part.guarantee for part in parts], times).guarantee
    promise = Part(whole.for_neighbors("replace-one"))
    run = tuple(Part.of(each, count) for each, count in allocation.exposure().run.items())
    table = replace(Release.of(promise), parts=run, stated_also=(promise,))
    for found in basis_of(table).contradicted:
        reason = why(found).rstrip(".")
        allowed = f"a table whose noise can keep what {release.name} promises ({reason})"
        raise InvalidInput("allocation", allocation.name, allowed, TOGETHER)


def _counted(release: Release, times: int) -> Analysis:
    """One release is the whole file, as it was before it was taken several times."""
    if times == 1 or release.releases % times:
        return Analysis.of(release)
    return Analysis.of(replace(release, releases=release.releases // times), times)


def _gathered(
    analysis: Analysis, first: Assessment, asked: Asked, exposures: Sequence[Exposure]
) -> Report:
    missing: list[tuple[str, Reason]] = []
    release = analysis.all_releases

    def tried(name: str, make: Callable[[], Made]) -> Made | None:
        try:
            return make() if analysis.parts and first.statements else None
        except Meaningless:  # that datasets have one size is a limit's absence to a reader
            missing.append((english(name), Reason(english("report.missing.membership"))))
        except DpriskError as error:
            missing.append((english(name), error.because))
        return None

    (other,) = (word for word in SECRETS if word != asked.adversary.secret)
    about = f"report.part.{other}"
    second = tried(about, lambda: _assessed(analysis, replace(asked.adversary, secret=other), {}))
    if second is not None and not second.statements:
        missing.append((english(about), Reason(second.reason)))
    return Report(
        release=release,
        asked=asked,
        assessments=(first, *([] if second is None else [second])),
        compared=tried("report.part.compared", lambda: _compared(analysis, asked)),
        attacked=tried(
            "report.part.tests",
            lambda: assess_tests(analysis, levels=asked.levels, priors=asked.priors),
        ),
        together=tried("report.title.together", lambda: compose_release(analysis, delta=DELTAS)),
        ladder=tried("report.title.adding", lambda: _climbed(analysis, asked, first)),
        concerns=tuple(_findings(each, asked) for each in exposures),
        explanations=_explained(analysis, asked),
        missing=tuple(missing),
    )


def _assessed(analysis: Analysis, who: Adversary, limits: Mapping[Metric, float]) -> Assessment:
    """Assess as surely as the promise allows; without a number if it limits nothing."""
    found = assess_if_any(analysis, who, limits)
    if found is None:
        return assess(silent(analysis.all_releases, fill("report.nothing")), who, limits=limits)
    return found


def _compared(analysis: Analysis, asked: Asked) -> Compared:
    sure = asked.confidence
    return assess_counterfactual(
        analysis,
        world="dropped" if analysis.release.neighbors == "add-remove" else "resampled",
        confidences=() if sure is None else [sure],
        ratios=() if sure is None else RATIOS,
        without=asked.priors,
    )


def _explained(analysis: Analysis, asked: Asked) -> tuple[Explanation, ...]:
    """Explanations for those who decide and those whose data it is; a claim is for the latter."""
    told: dict[str, Any] = {"claim": asked.labels.claim or None, "limits": dict(asked.limits)}
    told["confidence"] = asked.adversary.confidence
    told["secret"], told["priors"] = asked.adversary.secret, asked.priors
    told["language"] = asked.labels.language
    audiences: tuple[Audience, ...] = ("regulator", "data-subject")
    return tuple(explain(analysis, each, **told) for each in audiences)


def _climbed(analysis: Analysis, asked: Asked, first: Assessment) -> Ladder:
    """One release after the other, from where a limit binds if there is one."""
    binding = [each.prior for each in first.limits if each.metric == "posterior"]
    prior = asked.middle if not binding or binding[0] is None else binding[0]
    cheap = asked.confidence is None or analysis.composed().guarantee.is_stated
    numbers = _numbers(asked.upto, analysis.times, len(analysis.parts), cheap)
    who = replace(asked.adversary, priors=(prior,), confidence=asked.confidence)
    return climb(analysis, tuple(numbers), who, brief=True)


def _numbers(upto: int, made: int, parts: int, cheap: bool) -> list[int]:
    """1, 2, 5 and their tens, and where that costs little all numbers that are small."""
    if parts > MOST_SINGLE and not cheap:
        return sorted({1, made, max(made, upto)})
    found = {made, upto, *range(1, min(MOST_SINGLE, upto) + 1 if cheap else 2)}
    found |= {step * 10**power for power in range(math.ceil(math.log10(upto))) for step in STEPS}
    return sorted(number for number in found if number <= max(upto, made))


def _concerns(allocation: Allocation | None, concerns: Sequence[str]) -> tuple[str, ...]:
    if allocation is None:
        return ()
    return tuple(concerns) or allocation.attributes


def _exposures(
    allocation: Allocation | None, concerns: Sequence[str], named: int
) -> tuple[Exposure, ...]:
    """Everything at once, each concern, and the union of several that were named."""
    if allocation is None:
        return ()
    unions = [[word.strip() for word in text.split(";")] for text in concerns]
    together = list(dict.fromkeys(word for union in unions for word in union))
    if named > 1 and set(together) not in map(set, unions):
        unions.append(together)
    return tuple(allocation.exposure(*union) for union in [[], *unions])


def _findings(exposure: Exposure, asked: Asked) -> Findings:
    return findings(
        exposure,
        levels=asked.levels,
        priors=asked.priors,
        ratios=RATIOS,
        confidence=asked.confidence,
    )
