"""What all parts of a release keep together, between two certified numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

from dprisk._asking import options, reading
from dprisk._asking.options import FILE_OR_NUMBERS, NUMBER, WORD, Text, Texts, argument, option
from dprisk._asking.reading import unclear

if TYPE_CHECKING:
    from dprisk.documents.compositions import Composition


class ComposeOptions(NamedTuple):
    """``compose``: what a release file keeps, or a mechanism that is run again and again."""

    what: Annotated[Texts, argument("help.option.what", FILE_OR_NUMBERS)] = None
    mechanism: options.MechanismKind = None
    neighbors: options.Neighbors = None
    delta: Annotated[Texts, option("help.compose.delta", NUMBER)] = None
    epsilon: Annotated[Texts, option("help.compose.epsilon", NUMBER)] = None
    power: Annotated[Texts, option("help.compose.power", NUMBER)] = None
    confidence: Annotated[Texts, option("help.compose.confidence", NUMBER)] = None
    releases: options.Releases = "1"
    rule: Annotated[str, option("help.compose.rule", WORD)] = "best"
    slack: Annotated[Text, option("help.compose.slack", NUMBER)] = None
    accuracy: Annotated[Text, option("help.compose.accuracy", NUMBER)] = None
    memory: Annotated[str, option("help.compose.memory", NUMBER)] = "2GiB"

    def answer(self) -> Composition:
        """What all parts keep together."""
        from dprisk._checks import one_of
        from dprisk.composition.composing import RULES
        from dprisk.documents import together

        asked = {
            "delta": reading.numbers("--delta", self.delta),
            "epsilon": reading.numbers("--epsilon", self.epsilon),
            "level": reading.numbers("--power", self.power),
            "confidence": reading.numbers("--confidence", self.confidence),
        }
        if not any(asked.values()):
            raise unclear("no-question")
        if one_of("--rule", self.rule, RULES) != "advanced":
            options.moot(f"--rule {self.rule}", {"--slack": self.slack})
        promise = options.Promise(neighbors=self.neighbors)
        subject = options.Subject(self.what, promise, self.mechanism)
        return together(
            subject.release("compose", releases=self.releases),
            **asked,
            rule=self.rule,  # type: ignore[arg-type]
            slack=reading.optional("--slack", self.slack),
            accuracy=reading.optional("--accuracy", self.accuracy),
            memory=reading.size("--memory", self.memory),
        )
