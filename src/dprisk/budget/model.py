"""The format of profile files, checked by pydantic models."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import ErrorDetails

from dprisk._checks import did_you_mean
from dprisk.budget.attacks import CounterfactualLimit, PowerLimit
from dprisk.budget.boxes import DifferenceLimit, OddsLimit, PosteriorLimit, RatioLimit
from dprisk.budget.combining import AllOf, AnyOf
from dprisk.budget.profile import Profile
from dprisk.budget.tables import RatioTable
from dprisk.errors import InvalidFile, InvalidInput
from dprisk.releases.model import Version, number, place, refused
from dprisk.text import fill

INFINITE = ("inf", "+inf", ".inf", "+.inf", "Infinity")
PRIORS = ("membership_prior", "value_prior")
HEADS: dict[str, tuple[str, ...]] = {  # the key that says what is limited, and those beside it
    "ratio": PRIORS,
    "posterior": PRIORS,
    "odds": PRIORS,
    "difference": PRIORS,
    "power": ("level",),
    "counterfactual": (),
    "table": ("between",),
    "any_of": (),
    "all_of": (),
}
KINDS: dict[str, Callable[..., Profile]] = {
    "ratio": RatioLimit,
    "posterior": PosteriorLimit,
    "odds": OddsLimit,
    "difference": DifferenceLimit,
}


def _number(value: Any) -> float:
    if str(value).strip() in INFINITE:
        return float("inf")
    return float(number(value, "budget.file.number"))


def _span(value: Any) -> Any:
    if not isinstance(value, (list, tuple)):
        return _number(value)
    if len(value) != 2:
        raise refused("budget.file.span")
    return tuple(_number(each) for each in value)


NUMBER = {"anyOf": [{"type": "number"}, {"type": "string", "pattern": r"^[+-]?[0-9.i]"}]}
SPAN = {"anyOf": [*NUMBER["anyOf"], {"type": "array", "items": NUMBER, "minItems": 2}]}

Number = Annotated[float, BeforeValidator(_number), WithJsonSchema(NUMBER)]
Span = Annotated[float | tuple[float, float], BeforeValidator(_span), WithJsonSchema(SPAN)]
Row = Annotated[tuple[Number, Number, Number], Field()]


class ProfileEntry(BaseModel):
    """One limit, a table of them, or several."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    ratio: Number | None = None
    posterior: Number | None = None
    odds: Number | None = None
    difference: Number | None = None
    power: Number | None = None
    level: Number | None = None
    counterfactual: Number | None = None
    table: tuple[Row, ...] | None = None
    between: Literal["least", "harmonic"] | None = None
    membership_prior: Span | None = None
    value_prior: Span | None = None
    any_of: tuple[ProfileEntry, ...] | None = None
    all_of: tuple[ProfileEntry, ...] | None = None

    @model_validator(mode="after")
    def _is_one_limit(self) -> ProfileEntry:
        given = [name for name in type(self).model_fields if getattr(self, name) is not None]
        heads = [name for name in given if name in HEADS]
        if len(heads) != 1:
            got = fill("and").join(heads) or fill("budget.file.several.none")
            raise refused("budget.file.several", heads=", ".join(HEADS), got=got)
        wrong = [name for name in given if name not in (heads[0], *HEADS[heads[0]])]
        if wrong:
            known = ", ".join(HEADS[heads[0]]) or fill("budget.file.beside.nothing")
            raise refused("budget.file.beside", wrong=wrong[0], head=heads[0], known=known)
        if heads[0] == "power" and self.level is None:
            raise refused("budget.file.no-level")
        return self

    def to_profile(self) -> Profile:
        """The profile that it describes."""
        for name, make in (("any_of", AnyOf), ("all_of", AllOf)):
            entries = getattr(self, name)
            if entries is not None:
                return make([entry.to_profile() for entry in entries])
        if self.table is not None:
            return RatioTable(self.table, self.between or "least")
        if self.power is not None:
            return PowerLimit(self.power, 0.0 if self.level is None else self.level)
        if self.counterfactual is not None:
            return CounterfactualLimit(self.counterfactual)
        head = next(name for name in KINDS if getattr(self, name) is not None)
        where = {name: getattr(self, name) for name in PRIORS if getattr(self, name) is not None}
        return KINDS[head](getattr(self, head), **where)


class ProfileFile(BaseModel):
    """A risk profile, as a file describes it."""

    model_config = ConfigDict(extra="forbid", frozen=True, title="Risk profile")

    dprisk: Version
    name: str = ""
    profile: ProfileEntry


def checked(tree: Mapping[str, Any], path: str | os.PathLike[str]) -> Profile:
    """The profile that a tree read from a file describes."""
    try:
        return ProfileFile.model_validate(tree).profile.to_profile()
    except ValidationError as error:
        found = error.errors(include_url=False)
        first = next((each for each in found if each["type"] == "refused"), found[0])
        problem, fix = _explained(first)
        raise InvalidFile(path, problem, fix, place(first["loc"])) from None
    except InvalidInput as error:
        value = repr(error.value)
        problem = fill("budget.file.value", name=error.name, allowed=error.allowed, value=value)
        fix = error.fix or fill("budget.file.correct")
        raise InvalidFile(path, problem, fix, "profile") from None


def profile_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of the profile file format."""
    schema = ProfileFile.model_json_schema()
    schema["$defs"]["ProfileEntry"]["oneOf"] = [{"required": [head]} for head in HEADS]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


EXPLAINED = {  # by pydantic's type of error: what is wrong, and what to do
    "literal_error": ("one-of", "choose"),
    "tuple_type": ("list", "hyphen"),
    "too_long": ("too-long", "row"),
    "string_type": ("text", "leave-out"),
}


def _explained(error: ErrorDetails) -> tuple[str, str]:
    """What is wrong and what to do about it."""
    key = error["loc"][-1] if error["loc"] else ""
    context = error.get("ctx", {})
    if error["type"] == "refused":
        return str(context["problem"]), str(context["fix"])
    if error["type"] == "missing":
        if isinstance(key, int):
            return fill("budget.file.too-short"), fill("budget.file.row")
        fix = key if key in ("dprisk", "profile") else "add"
        return fill("budget.file.missing", key=key), fill(f"budget.file.{fix}")
    if error["type"] == "extra_forbidden":
        known = list((ProfileFile if len(error["loc"]) == 1 else ProfileEntry).model_fields)
        fix = did_you_mean(key, known) or fill("budget.file.known", known=", ".join(known))
        return fill("budget.file.unknown", key=repr(str(key)[:60])), fix
    got = "nothing" if error["input"] is None else repr(str(error["input"])[:60])
    problem, fix = EXPLAINED.get(error["type"], ("keys", "such-as"))
    said = {"key": key, "got": got, "expected": context.get("expected")}
    return fill(f"budget.file.{problem}", **said), fill(f"budget.file.{fix}")
