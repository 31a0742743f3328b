"""A report as a value: every number in it, and four ways to write it down."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, final

from dprisk._checks import PROBABILITY, scalar, whole
from dprisk._values import members, plain, result
from dprisk.allocation import findings
from dprisk.allocation.allocations import Allocation
from dprisk.allocation.exposure import Exposure
from dprisk.allocation.finding import Findings
from dprisk.composition.analysis import Analysis, asking
from dprisk.curves.ladder_theorems import climb
from dprisk.curves.rungs import Ladder
from dprisk.documents import assess_counterfactual, assess_tests, compose_release, explain
from dprisk.documents.accumulation import check_spent
from dprisk.documents.assessing import Assessment, assess, assess_if_any, silent
from dprisk.documents.compositions import Attacked, Compared, Composition
from dprisk.documents.document import FORMATS, Format, Labels, form_of, in_json, keep
from dprisk.documents.explaining import Audience, Explanation
from dprisk.documents.rendering import Document
from dprisk.errors import DpriskError, InvalidInput, Meaningless, Reason, one_of
from dprisk.releases.files import as_release
from dprisk.releases.release import Described, Release
from dprisk.risk.adversary import Adversary, Metric
from dprisk.text import english, fill

if TYPE_CHECKING:
    from dprisk.budget.profile import Profile
    from dprisk.budget.sheet import Justification
    from dprisk.documents.document import Section

REPORT = "dprisk/report/1"


@final
@dataclass(frozen=True)
class Asked:
    """Questions asked of a report. Made by `report`."""

    #: Against whom the limits are held, with what was left out as it was left out.
    adversary: Adversary
    #: With which the first statement holds, and all that looks ahead; None: with certainty. (0, 1)
    confidence: float | None
    levels: tuple[float, ...]  #: Probabilities of a false alarm. [0, 1]
    limits: tuple[tuple[str, float], ...]  #: Largest values tolerated. [0, inf)
    upto: int  #: The largest number of releases that is looked at. [1, 10^9]
    concerns: tuple[str, ...]  #: Concerns of the allocation.
    labels: Labels  #: What is printed besides.

    @property
    def priors(self) -> tuple[float, ...]:
        """Beliefs before the release."""
        return self.adversary.priors

    @property
    def middle(self) -> float:
        """The belief before the release that sentences start from."""
        return self.adversary.middle

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "secret": self.adversary.secret,
            "priors": list(self.priors),
            **members(self.adversary, "confidence", "sides", "post_processing"),
            **(
                {} if self.adversary.value_prior is None else members(self.adversary, "value_prior")
            ),
            "levels": list(self.levels),
            "limits": dict(self.limits),
            **members(self, "upto", "concerns"),
            **self.labels.to_dict(),
        }


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """All that is known about the disclosure risk of one release. Made by `report`."""

    release: Release  #: What it is about.
    asked: Asked  #: What was asked.
    #: For each question that an informed adversary may ask; that about which the limits are first.
    assessments: tuple[Assessment, ...]
    compared: Compared | None  #: With a record and without it.
    attacked: Attacked | None  #: What tests can do.
    together: Composition | None  #: What all parts keep together.
    ladder: Ladder | None  #: The risk as releases go on.
    concerns: tuple[Findings, ...]  #: For each concern of the allocation.
    #: The same in words: for whoever approves the release, and for the person whose data it is.
    explanations: tuple[Explanation, ...]
    missing: tuple[tuple[str, Reason], ...]  #: What could not be worked out, and why.
    justified: Justification | None = None  #: What a risk profile allows (`with_profile`).

    @property
    def kept(self) -> bool:
        """Whether every limit asked for is kept, and the risk profile."""
        return self.assessments[0].kept and (self.justified is None or self.justified.kept)

    def with_profile(self, profile: Profile) -> Report:
        """The report with a section on the budget that a risk profile allows.

        Parameters
        ----------
        profile : Profile
            The ratios of posterior to prior that are tolerated.

        Returns
        -------
        Report
            With the profile as a picture, where it binds, what it leaves open, the noise, and
            whether this release keeps it.

        Raises
        ------
        Meaningless
            For replace-one neighbors, unless the profile is about the membership prior 1 alone; or
            if the release gives no number.

        Examples
        --------
        >>> from dprisk import PureDP
        >>> from dprisk.budget import ratio_or_posterior
        >>> from dprisk.documents import report
        >>> clinic = ratio_or_posterior(3.0, 0.25, value_prior=1.0)
        >>> report(PureDP(1.0, neighbors="add-remove")).with_profile(clinic).kept
        True
        """
        from dprisk.budget import justify

        first = self.assessments[0]
        if not first.statements:
            raise Meaningless(f"No budget can be compared with a profile: {first.reason}")
        whole = first.basis.composed.guarantee
        return replace(self, justified=justify(profile, whole, self.asked.confidence))

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data, the same that stands in the HTML and that JSON holds."""
        from dprisk import __version__

        return {
            "schema": REPORT,
            "dprisk": __version__,
            **members(self, "asked", "kept", "assessments"),
            "counterfactual": plain(self.compared),
            "attack": plain(self.attacked),
            "composition": plain(self.together),
            **members(self, "ladder", "concerns", "explanations"),
            **({} if self.justified is None else {"profile": plain(self.justified)}),
            "missing": [{"section": name, "reason": str(why)} for name, why in self.missing],
        }

    def sections(self) -> tuple[Section, ...]:
        """The report, laid out: from the summary to the way to do it again."""
        from dprisk.documents.summary import laid_out

        return laid_out(self)

    def document(self) -> Document:
        """The whole report, for HTML, Markdown and PDF."""
        from dprisk.documents.summary import page_of_report

        return page_of_report(self)

    def summary(self) -> Document:
        """The report on one page: the same question, the same number and the same limits."""
        from dprisk.documents.summary import one_page

        return one_page(self)

    def to_html(self) -> str:
        """One page with its style, drawings and data, which fetches nothing and runs nothing."""
        return self.document().to_html()

    def to_markdown(self) -> str:
        """Plain text with marks; tables stand for drawings."""
        return self.document().to_markdown()

    def to_json(self) -> str:
        """The data behind it, as strict JSON."""
        return in_json(self.to_dict())

    def to_pdf(self) -> bytes:
        """PDF/UA-1 by WeasyPrint (``pip install 'dprisk[pdf]'``), the same for the same report."""
        return self.document().to_pdf()

    def written(self, form: Format) -> str:
        """The report in a format of text: the same text for the same report.

        Parameters
        ----------
        form : {"html", "markdown", "json"}
            Which; any other is refused.

        Returns
        -------
        str
            No date is in it that was not given.
        """
        return self.to_json() if form == "json" else self.document().written(form)

    def save(
        self, path: str | os.PathLike[str], form: Format | None = None, *, force: bool = False
    ) -> None:
        """Write the report to a file, as `Document.save` does.

        Parameters
        ----------
        path : str or path
            Where; never the file that the report is about, nor a symbolic link.
        form : {"html", "markdown", "json", "pdf"}, optional
            Left out: by the ending of the name.
        force : bool
            Whether a file that is there may be replaced.
        """
        wanted = one_of("format", form or form_of(path), FORMATS)
        content = self.to_pdf if wanted == "pdf" else partial(self.written, wanted)
        keep(content, path, self.asked.labels.inputs, force=force)

    def __hash__(self) -> int:
        return hash(self.release)  # of everything it holds, it would take longer than a section

    def __repr__(self) -> str:
        return f"<Report on {self.release.name!r}: {len(self.assessments)} assessments>"

    def _repr_html_(self) -> str:
        """The same report for a notebook: static, no scripts, no requests."""
        return self.document()._repr_html_()


Made = TypeVar("Made")

DELTAS = (1e-5, 1e-6, 1e-9)
RATIOS = (2.0, 10.0, 100.0)
STEPS = (1, 2, 5)
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
        Against whom the limits are held. Left out, as for `assess` or, with a claim, `explain`.
    priors : iterable of float, optional
        Instead of an adversary: beliefs before the release. [0, 1]
    limits : mapping of str to float, optional
        As for `assess`. [0, inf)
    levels : sequence of float
        Probabilities of a false alarm. [0, 1]
    upto : int, optional
        The largest number of releases that is looked at, each of them everything that is described.
        [1, 10^9]. Left out: as many as there are by the labels, and at least ten.
    allocation : Allocation, optional
        How the privacy loss is shared out over queries.
    concerns : sequence of str
        What somebody may worry about: each by itself and, of several, their union; "a; b" is one
        union. Left out: every attribute of the allocation.
    labels : Labels, optional
        Who signs, when, a claim in your own words, and the names of the files.

    Returns
    -------
    Report
        With every number, its direction, theorem and assumptions; what is missing, and why.

    Raises
    ------
    InvalidInput
        If a concern is unknown, concerns come without an allocation, or that spends certainly more
        than the release promises.
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
        check_spent(allocation, analysis.release)
    first = _assessed(analysis, who, limits or {})
    asked = Asked(
        adversary=who,
        confidence=first.statements[0].confidence if first.statements else who.confidence,
        levels=tuple(scalar("level", level, PROBABILITY) for level in levels),
        limits=tuple((limit.metric, limit.limit) for limit in first.limits),
        upto=max(AHEAD, printed.times) if upto is None else whole("upto", upto, 1),
        concerns=() if allocation is None else tuple(concerns) or allocation.attributes,
        labels=printed,
    )
    return _gathered(analysis, first, asked, _exposures(allocation, asked.concerns, len(concerns)))


def _counted(release: Release, times: int) -> Analysis:
    """One release is the whole file, as it was before it was taken several times."""
    if times == 1 or release.releases % times:
        return Analysis.of(release)
    return Analysis.of(replace(release, releases=release.releases // times), times)


def _gathered(
    analysis: Analysis, first: Assessment, asked: Asked, exposures: Sequence[Exposure]
) -> Report:
    missing: list[tuple[str, Reason]] = []
    risks: dict[str, Any] = {"levels": asked.levels, "priors": asked.priors, "ratios": RATIOS}
    risks["confidence"] = asked.confidence

    def tried(name: str, make: Callable[[], Made]) -> Made | None:
        try:
            return make() if analysis.parts and first.statements else None
        except Meaningless:  # that datasets have one size is a limit's absence to a reader
            missing.append((english(name), Reason(english("report.missing.membership"))))
        except DpriskError as error:
            missing.append((english(name), error.because))
        return None

    others = []
    for other in asked.adversary.others():
        about = f"report.part.{other.secret}"
        second = tried(about, partial(_assessed, analysis, other, {}))
        if second is not None and not second.statements:
            missing.append((english(about), Reason(second.reason)))
        others += [] if second is None else [second]
    return Report(
        release=analysis.all_releases,
        asked=asked,
        assessments=(first, *others),
        compared=tried("report.part.compared", lambda: _compared(analysis, asked)),
        attacked=tried(
            "report.part.tests",
            lambda: assess_tests(analysis, levels=asked.levels, priors=asked.priors),
        ),
        together=tried("report.title.together", lambda: compose_release(analysis, delta=DELTAS)),
        ladder=tried("report.title.adding", lambda: _climbed(analysis, asked, first)),
        concerns=tuple(findings(each, **risks) for each in exposures),
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
        without=asked.adversary.beliefs,
    )


def _explained(analysis: Analysis, asked: Asked) -> tuple[Explanation, ...]:
    """Explanations for those who decide and those whose data it is; a claim is for the latter."""
    audiences: tuple[Audience, ...] = ("regulator", "data-subject")
    told: dict[str, Any] = {"limits": dict(asked.limits), "secret": asked.adversary}
    told |= {"claim": asked.labels.claim or None, "language": asked.labels.language}
    return tuple(explain(analysis, each, **told) for each in audiences)


def _climbed(analysis: Analysis, asked: Asked, first: Assessment) -> Ladder | None:
    """One release after the other, from where a limit binds if there is one."""
    if asked.adversary.secret == "both":  # a rung has one loss, and they would have two
        return None
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
    found: dict[frozenset[str], Exposure] = {}  # a scenario and a union of its concerns are one
    for union in [[], *unions]:
        exposure = allocation.exposure(*union)
        found.setdefault(frozenset(exposure.concerns), exposure)
    return tuple(found.values())
