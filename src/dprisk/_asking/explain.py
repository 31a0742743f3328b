"""A release in the words of those who have to do with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

from dprisk._asking import options, reading
from dprisk._asking.options import NUMBER, WORD, Text, Texts, option

if TYPE_CHECKING:
    from dprisk.documents.explaining import Explanation


class ExplainOptions(NamedTuple):
    """``explain``: what a release means, in the words of one audience."""

    subject: options.Subject = options.Subject()
    unit: options.Unit = None
    audience: Annotated[str, option("help.explain.audience", WORD)] = "data-subject"
    claim: options.Claim = None
    secret: Annotated[Text, option("help.explain.secret", WORD)] = None
    prior: options.Prior = None
    confidence: options.Confidence = None
    releases: options.Releases = "1"
    after: Annotated[Texts, option("help.explain.after", NUMBER)] = None
    limit: options.Limit = None
    language: options.Language = "en"

    def answer(self) -> Explanation:
        """The explanation for one audience."""
        from dprisk.composition.analysis import Analysis
        from dprisk.documents import explained

        release = self.subject.release("explain", self.unit)
        return explained(
            Analysis.of(release, reading.whole_number("--releases", self.releases)),
            self.audience,  # type: ignore[arg-type]
            claim=self.claim,
            secret=self.secret,  # type: ignore[arg-type]
            priors=reading.numbers("--prior", self.prior),
            confidence=reading.optional("--confidence", self.confidence),
            after=[reading.whole_number("--after", text) for text in self.after or []],
            limits=reading.limits(self.limit),
            language=self.language,  # type: ignore[arg-type]
        )
