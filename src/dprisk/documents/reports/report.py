"""A report as a value: every number in it, and four ways to write it down."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, final

from dprisk._checks import assign, one_of, whole
from dprisk._lazy import named
from dprisk._values import members, plain, result
from dprisk.allocation.finding import Findings
from dprisk.curves.rungs import Ladder
from dprisk.documents.assessing import Attacked, Compared
from dprisk.documents.compositions import Composition
from dprisk.documents.document import FORMATS, Document, Format, form_of, keep
from dprisk.documents.explaining import Explanation
from dprisk.documents.findings import Assessment
from dprisk.errors import InvalidInput, Reason
from dprisk.releases.release import Release
from dprisk.risk.adversary import Adversary
from dprisk.text import LANGUAGES, Language, language

if TYPE_CHECKING:
    from dprisk.documents.blocks import Section

REPORT = "dprisk/report/1"


@final
@dataclass(frozen=True)
class Labels:
    """Labels printed on a report besides its numbers.

    Parameters
    ----------
    claim : str
        What somebody may conclude, in your own words, such as "your manager concludes that you
        answered No".
    by, date : str
        Who prepared it, and when; printed as given.
    file, table : str
        The names of the files that the release and the allocation came from, for the command that
        makes the report again.
    times : int
        How often the release in that file was taken. [1, 10^9]
    language : {"en", "de"}
        Of the summary, of the part for the person whose data it is, and of a claim. The rest is in
        English.

    Raises
    ------
    InvalidInput
        If a label is no text, or the language unknown.
    OutOfRange
        If `times` is not a whole number of at least one.

    Examples
    --------
    >>> from dprisk.documents import Labels
    >>> Labels(by="A. Analyst", date="2026-02-01").by
    'A. Analyst'
    """

    claim: str = ""
    by: str = ""
    date: str = ""
    file: str = ""
    table: str = ""
    times: int = 1
    language: Language = "en"

    def __post_init__(self) -> None:
        for name in ("claim", "by", "date", "file", "table"):
            if not isinstance(getattr(self, name), str):
                raise InvalidInput(name, getattr(self, name), "text")
        one_of("language", self.language, LANGUAGES)
        assign(self, times=whole("times", self.times, 1))

    @property
    def inputs(self) -> tuple[str, ...]:
        """The files that nothing may be written over."""
        return tuple(name for name in (self.file, self.table) if name)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        texts = members(self, "claim", "by", "date", "file", "table")
        said = {name: text or None for name, text in texts.items()}
        return {**said, **members(self, "times", "language")}


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
    #: The same in words: for whoever has to approve the release, and for the person whose data it
    #: is.
    explanations: tuple[Explanation, ...]
    missing: tuple[tuple[str, Reason], ...]  #: What could not be worked out, and why.

    @property
    def kept(self) -> bool:
        """Whether every limit asked for is kept."""
        return self.assessments[0].kept

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
            "missing": [{"section": name, "reason": str(why)} for name, why in self.missing],
        }

    def sections(self) -> tuple[Section, ...]:
        """The report, laid out: what HTML and Markdown are written from."""
        return laid_out(self)

    def document(self) -> Document:
        """The report, laid out: what HTML, Markdown and PDF are written from."""
        from dprisk.documents.reports.summary import page_of_report

        return page_of_report(self)

    def to_html(self) -> str:
        """One page that needs nothing else and fetches nothing."""
        return self.document().to_html()

    def to_markdown(self) -> str:
        """The report as plain text with marks; what a drawing shows stands in a table."""
        return self.document().to_markdown()

    def to_json(self) -> str:
        """The data behind it."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    def to_pdf(self) -> bytes:
        """The page to be printed, with page numbers, headings to jump to, and tags."""
        return self.document().to_pdf()

    def summary(self) -> Document:
        """Sum the report up on one page."""
        from dprisk.documents.reports.summary import one_page

        return one_page(self)

    def written(self, form: Format) -> str:
        """The report in a format of text.

        Parameters
        ----------
        form : {"html", "markdown", "json"}
            Which.

        Returns
        -------
        str
            The same for the same report: no date is in it that was not given.

        Raises
        ------
        InvalidInput
            If `form` is none of the three.
        """
        one_of("format", form, FORMATS[:3])
        writers = {"html": self.to_html, "markdown": self.to_markdown, "json": self.to_json}
        return writers[form]()

    def save(
        self, path: str | os.PathLike[str], form: Format | None = None, *, force: bool = False
    ) -> None:
        """Write the report to a file, whole or not at all.

        Parameters
        ----------
        path : str or path
            Where; never the file that the report is about, nor a symbolic link.
        form : {"html", "markdown", "json", "pdf"}, optional
            Left out: by the ending of the name.
        force : bool
            Whether a file that is there may be replaced.

        Raises
        ------
        InvalidInput
            If `form` is none of the four, or left out and the ending names none.
        InvalidFile
            If no file can be written there.
        NotInstalled
            For PDF, without WeasyPrint.
        NotWritten
            If writing fails; what was there is whole.
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


SECTIONS = (  # each a function of a report, by its module; None where there is nothing to say
    "summary:summary",
    "summary:described",
    "risks:learned",
    "accumulation:composed",
    "accumulation:concerned",
    "accumulation:priced",
    "risks:promised",
    "risks:handed_on",
    "grounds:uncovered",
    "grounds:assumed",
    "grounds:reasons",
    "grounds:again",
    "grounds:signed",
)


@lru_cache(maxsize=4)  # drawn once for all formats
def laid_out(report: Report) -> tuple[Section, ...]:
    """Consequences first, then reasons; what there is nothing to say about is left out."""
    with language("en"):
        return tuple(_sections(report))


def _sections(report: Report) -> Iterator[Section]:
    for name in SECTIONS:
        section: Section | None = named("dprisk.documents.reports", name)(report)
        if section is not None and (section.blocks or section.inside):
            yield section
