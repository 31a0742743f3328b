"""One document about one release, to be read, signed and kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from dprisk._asking import options, reading
from dprisk._asking.options import FILE, NUMBER, TEXT, WORD, Text, option
from dprisk.errors import refused

if TYPE_CHECKING:
    from dprisk.documents.reports.report import Report as Made


class ReportOptions(NamedTuple):
    """``report``: one document about one release."""

    subject: options.Subject = options.Subject()
    unit: options.Unit = None
    asker: options.Asker = options.Asker()
    level: options.Level = None
    limit: options.Limit = None
    releases: options.Releases = "1"
    upto: Annotated[Text, option("help.report.upto", NUMBER)] = None
    allocation: Annotated[Text, option("help.report.allocation", FILE)] = None
    concern: Annotated[options.Texts, option("help.report.concern", TEXT)] = None
    claim: options.Claim = None
    by: Annotated[str, option("help.report.by", TEXT)] = ""
    date: Annotated[str, option("help.report.date", WORD)] = ""
    language: options.Language = "en"

    def answer(self) -> Made:
        """The report, in which every number is worked out."""
        from dprisk.documents import Labels
        from dprisk.documents import report as make

        asked, labels = self._asked(), self._labels()
        release = self.subject.release("report", self.unit)
        if self.allocation:
            from dprisk.allocation import read_allocation

            asked["allocation"] = read_allocation(self.allocation)
        adversary = self._asker().asking(release)
        times = labels["times"]
        return make(options.again(release, str(times)), adversary, labels=Labels(**labels), **asked)

    def check(self) -> None:
        """Refuse what can be refused before any file is read."""
        self._asked()
        self._labels()

    def _asker(self) -> options.Asker:
        attribute = self.claim and self.asker.secret is None
        return self.asker._replace(secret="attribute") if attribute else self.asker

    def _asked(self) -> dict[str, Any]:
        asked = {
            "levels": reading.numbers("--level", self.level),
            "limits": reading.limits(self.limit),
            "upto": None if self.upto is None else reading.whole_number("--upto", self.upto),
            "concerns": self.concern,
        }
        return {name: value for name, value in asked.items() if value}

    def _labels(self) -> dict[str, Any]:
        labels = {
            "claim": self.claim or "",
            "by": self.by,
            "date": reading.day("--date", self.date),
            "file": self.subject.file,
            "table": self.allocation or "",
            "language": self.language,
            "times": reading.whole_number("--releases", self.releases),
        }
        if self.allocation == "":
            raise refused("cli.must.table", "--allocation", self.allocation)
        return labels
