"""``dprisk check``: whether the ε that another tool states is true."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from dprisk._asking import answers, reading
from dprisk._asking import parameters as take
from dprisk._asking.answers import Block, section
from dprisk._asking.options import Subject
from dprisk._asking.parameters import Inquiry, opt, table
from dprisk._asking.reading import twice, unclear
from dprisk.errors import InvalidInput, one_of
from dprisk.text.rounding import at_least, at_most, short

if TYPE_CHECKING:
    from dprisk.composition.opinion import SecondOpinion, ToolComparison

SHOWN_DIGITS: Final = 6
STATED: Final = {
    "given": "The statement is ε = {epsilon} at δ = {delta}.",
    "spent": "{who} states ε = {epsilon} at δ = {delta}.",
    "target": "{who} chose its noise for ε = {epsilon} at δ = {delta}.",
    "limit": "{who} was given the limit ε = {epsilon} at δ = {delta}.",
}
REASONS: Final = {
    "orders": "Rényi DP, order by order and then converted, gives about this number.",
    "largest-order": (
        "An accountant with Rényi orders up to 63, such as that of Opacus, gives about this number "
        "even for a run that reveals nothing."
    ),
    "small-delta": (
        "At so small a δ, numerical accountants lose digits, and some give an ε that is too small."
    ),
    "central-limit": (
        "A central limit approximation gives about this number. It is not a bound, and can be too "
        "small."
    ),
    "twice-as-far": (
        "The same run gives about this number if a record moves the sum twice as far, as when "
        "records are replaced."
    ),
    "twice-as-far-by-orders": (
        "Rényi DP gives about this number if a record moves the sum twice as far, as when records "
        "are replaced."
    ),
    "half-as-far": "The same run gives about this number if a record moves the sum half as far.",
    "half-as-far-by-orders": (
        "Rényi DP gives about this number if a record moves the sum half as far."
    ),
    "poisson": (
        "Poisson batches with the same mean size give about this number. That is not how these "
        "batches were drawn."
    ),
    "poisson-by-orders": (
        "Rényi DP of Poisson batches with the same mean size gives about this number. That is not "
        "how these batches were drawn."
    ),
    "every-record": "The same run gives about this number if every record is in every batch.",
    "sum-of-epsilons": "Adding the ε of all uses gives about this number.",
}


@table
class AskCheck(Inquiry):
    """Check the ε that another tool states against the certified one."""

    example = (
        "dprisk check accountant.pt sampling=poisson neighbors=add-remove --states "
        "epsilon=3.85,delta=1e-5"
    )
    doing = "Checking"
    subject: Subject = Subject()
    states: take.Text = opt(
        "What was stated, such as epsilon=3,delta=1e-5. Default: what the file states. Exit code 3 "
        "if it is below the truth."
    )
    at_delta: take.Numbers = opt("Show the certified ε at this δ, such as 1e-5. Repeatable.")

    def answer(self) -> SecondOpinion:
        from dprisk.composition.opinion import check

        stated = self._stated()
        at: list[float] = reading.numbers("--at-delta", self.at_delta)
        if at and "delta" in stated:
            raise unclear("--states names δ, so leave --at-delta out.", option="--at-delta")
        asked: Any = {**stated, **({"delta": at} if at else {})}
        subject = self.subject
        if not (subject.answers and len(subject.files) == 1):
            return check(subject.release(self.example), **asked)
        told: Any = subject.told(subject.file, {"--neighbors": subject.promise.neighbors})
        if "delta" in told:
            asked.setdefault("delta", reading.number("delta", told.pop("delta")))
        return check(subject.file, **asked, **told)

    def _stated(self) -> dict[str, float]:
        found: dict[str, float] = {}
        for text in (self.states or "").split(",") if self.states is not None else ():
            name, sign, value = (each.strip() for each in text.partition("="))
            if not sign:
                fix = "Write it as epsilon=3,delta=1e-5."
                raise InvalidInput("--states", self.states, "names and numbers", fix)
            one_of("--states", name, ("epsilon", "delta"))
            if name in found:
                raise twice(f"--states {name}", 2)
            found[name] = reading.number(f"--states {name}", value)
        return found

    def brief(self, made: SecondOpinion) -> Iterator[str]:
        for each in made.comparisons:
            yield " ".join(_verdict(made, each))
        if not made.comparisons:
            yield from _certified(made)

    def document(self, made: SecondOpinion) -> Iterator[Block]:
        yield from self.brief(made)
        for each in made.comparisons:
            yield from section(
                "Where the difference comes from", [REASONS[name] for name in each.reasons]
            )
        if made.comparisons:
            yield from section("Certified", _certified(made))
        yield from answers.parts(made.release, "What was run")
        notes = [note.text for note in made.release.notes if note.kind != "missing"]
        yield from section("Assumptions", notes)
        yield from section("Not stated", [f"{each.asks} ({each.name})" for each in made.missing])


def _verdict(made: SecondOpinion, found: ToolComparison) -> Iterator[str]:
    said = found.said
    about = f" ({said.about})" if said.about else ""
    who = f"{made.tool}{about}" if made.tool else "The statement"
    given = "given" if said.about == "as given" else said.reached
    yield STATED[given].format(who=who, epsilon=short(said.epsilon), delta=short(found.delta))
    yield from (_of_statement if said.reached == "spent" else _of_limit)(made, found)


def _of_statement(made: SecondOpinion, found: ToolComparison) -> Iterator[str]:
    if found.verdict == "below":
        yield f"This is BELOW THE TRUTH: no ε below {_low(found)} holds for {_what(made)}."
        if math.isfinite(found.by):
            yield f"The statement is too small by at least {at_least(found.by, 3)}."
    elif found.verdict == "looser":
        yield (
            f"This holds, and ε = {_upper(found)} holds as well: the statement is looser than it "
            f"needs to be by {_difference(found.by)}."
        )
    elif found.verdict == "agrees":
        yield "This agrees with the certified ε."
    else:
        yield f"{_known(found)}, so this statement may or may not be true."


def _of_limit(made: SecondOpinion, found: ToolComparison) -> Iterator[str]:
    if found.verdict == "below":
        yield f"This is NOT KEPT: no ε below {_low(found)} holds for {_what(made)}."
    elif found.verdict == "undecided":
        yield f"{_known(found)}, so it may or may not be kept."
    else:
        yield f"It is kept: ε = {_upper(found)} holds for {_what(made)}."


def _known(found: ToolComparison) -> str:
    below = "" if found.lower is None else f" and that no ε below {_low(found)} does"
    return f"dprisk can only show that ε = {_upper(found)} holds{below}"


def _what(made: SecondOpinion) -> str:
    """The subject of an ε: a mechanism is known, a promise is kept by many."""
    known = all(part.mechanism is not None for part in made.release.parts)
    return "what was run" if known else "everything that keeps these promises"


def _difference(by: float) -> str:
    return "an infinite amount" if math.isinf(by) else f"at least {at_least(by, 3)}"


def _upper(found: ToolComparison) -> str:
    """An upper end in as many digits as it takes to be below what is stated, where it is."""
    upper, stated = found.upper, found.said.epsilon
    if not upper < stated:
        return at_most(upper, SHOWN_DIGITS)
    texts = (at_most(upper, digits) for digits in range(SHOWN_DIGITS, 17))
    return next((text for text in texts if float(text) < stated), repr(upper))


def _low(found: ToolComparison) -> str:
    """A lower end in as many digits as it takes to be above what is stated, where it is."""
    lower, stated = math.inf if found.lower is None else found.lower, found.said.epsilon
    if math.isinf(lower):
        return "infinity"
    if not lower > stated:
        return at_least(lower, SHOWN_DIGITS)
    texts = (at_least(lower, digits) for digits in range(SHOWN_DIGITS, 17))
    return next((text for text in texts if float(text) > stated), repr(lower))


def _certified(made: SecondOpinion) -> Iterator[str]:
    for delta, low, high in made.certified:
        at = f"At δ = {short(delta)}"
        if math.isinf(high):
            yield f"{at}, no finite ε holds." if low == math.inf else f"{at}, no ε is known."
            continue
        upper = at_most(high, SHOWN_DIGITS)
        known = "" if low is None else f"; nothing below {at_least(low, SHOWN_DIGITS)} does"
        yield f"{at}, ε = {upper} holds{known}."
