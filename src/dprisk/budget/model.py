"""The format of profile files, checked by pydantic models."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from difflib import get_close_matches
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
from pydantic_core import ErrorDetails, PydanticCustomError

from dprisk.budget.attacks import CounterfactualLimit, PowerLimit
from dprisk.budget.base import Profile
from dprisk.budget.combining import AllOf, AnyOf
from dprisk.budget.limits import DifferenceLimit, OddsLimit, PosteriorLimit, RatioLimit
from dprisk.budget.tables import RatioTable
from dprisk.errors import InvalidFile, InvalidInput
from dprisk.releases.decimals import as_decimal, hint

__all__ = ["HEADS", "ProfileFile", "checked", "profile_schema"]

VERSION = 1
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


def _refused(problem: str, fix: str) -> PydanticCustomError:
    return PydanticCustomError("refused", "{problem} {fix}", {"problem": problem, "fix": fix})


def _number(value: Any) -> float:
    if str(value).strip() in INFINITE:
        return float("inf")
    text = as_decimal(value)
    if text is None:
        fix = f"{hint(value)} Write a number, such as 0.05 or 3; inf stands for no limit.".strip()
        raise _refused(f"It must be a number, got {str(value)[:60]!r}.", fix)
    return float(text)


def _span(value: Any) -> Any:
    if not isinstance(value, (list, tuple)):
        return _number(value)
    if len(value) != 2:
        fix = "Write [0, 0.1] for all priors up to 0.1."
        raise _refused("It must be one prior, or the least and the largest.", fix)
    return tuple(_number(each) for each in value)


def _version(value: Any) -> int:
    if isinstance(value, bool) or str(value).strip() != str(VERSION):
        problem = f"The file says version {str(value)[:20]!r}, and only {VERSION} is read."
        raise _refused(problem, f"Write `dprisk: {VERSION}`, or use a newer dprisk.")
    return VERSION


NUMBER = {"anyOf": [{"type": "number"}, {"type": "string", "pattern": r"^[+-]?[0-9.i]"}]}
SPAN = {"anyOf": [*NUMBER["anyOf"], {"type": "array", "items": NUMBER, "minItems": 2}]}

Number = Annotated[float, BeforeValidator(_number), WithJsonSchema(NUMBER)]
Span = Annotated[float | tuple[float, float], BeforeValidator(_span), WithJsonSchema(SPAN)]
Row = Annotated[tuple[Number, Number, Number], Field()]
Version = Annotated[int, BeforeValidator(_version), WithJsonSchema({"const": VERSION})]


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
            got = " and ".join(heads) or "none"
            fix = "Several limits stand in a list under `any_of` or `all_of`."
            raise _refused(f"It must have one of {', '.join(HEADS)}, got {got}.", fix)
        wrong = [name for name in given if name not in (heads[0], *HEADS[heads[0]])]
        if wrong:
            known = ", ".join(HEADS[heads[0]]) or "nothing else"
            fix = f"Beside `{heads[0]}` stands {known}."
            raise _refused(f"{wrong[0]} has no meaning for {heads[0]}.", fix)
        if heads[0] == "power" and self.level is None:
            raise _refused("level is missing.", "Write the level of the test, such as level: 0.05.")
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
    """A risk profile, as a file describes it.

    Examples
    --------
    >>> from dprisk.budget.model import ProfileFile
    >>> file = ProfileFile.model_validate({"dprisk": 1, "profile": {"ratio": "3"}})
    >>> file.profile.to_profile()
    RatioLimit(ratio_limit=3.0, membership_prior=(0.0, 1.0), value_prior=(0.0, 1.0))
    """

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
        raise InvalidFile(path, problem, fix, _place(first["loc"])) from None
    except InvalidInput as error:
        problem = f"{error.name} must be {error.allowed}, got {error.value!r}."
        raise InvalidFile(path, problem, error.fix or "Correct the value.", "profile") from None


def profile_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of the profile file format.

    Returns
    -------
    dict
        Numbers may be written as numbers or as decimal text.

    Examples
    --------
    >>> from dprisk.budget import profile_schema
    >>> sorted(profile_schema()["required"])
    ['dprisk', 'profile']
    """
    schema = ProfileFile.model_json_schema()
    schema["$defs"]["ProfileEntry"]["oneOf"] = [{"required": [head]} for head in HEADS]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


MISSING = {
    "dprisk": "Add the line `dprisk: 1`, the version of the format.",
    "profile": "Say what is tolerated, such as `profile: {ratio: 3}`.",
}
ROW = "Write [membership prior, value prior, ratio]."
EXPLAINED = {  # by pydantic's type of error: what is wrong, and what to do
    "literal_error": ("{key} must be {expected}, got {got}.", "Choose one of these."),
    "tuple_type": ("It must be a list, got {got}.", "Start each item of it with a hyphen."),
    "too_long": ("A row of the table is too long.", ROW),
    "string_type": ("It must be text, got {got}.", "Write some text, or leave the key out."),
}


def _explained(error: ErrorDetails) -> tuple[str, str]:
    """What is wrong and what to do about it."""
    key = error["loc"][-1] if error["loc"] else ""
    context = error.get("ctx", {})
    if error["type"] == "refused":
        return str(context["problem"]), str(context["fix"])
    if error["type"] == "missing":
        short = isinstance(key, int)
        found = ("A row of the table is too short.", ROW) if short else (f"{key} is missing.", "")
        return found[0], found[1] or MISSING.get(str(key), "Add it.")
    if error["type"] == "extra_forbidden":
        top = len(error["loc"]) == 1
        known = list((ProfileFile if top else ProfileEntry).model_fields)
        near = get_close_matches(str(key).lower(), known, n=1)
        fix = f"Did you mean {near[0]!r}?" if near else f"Known keys: {', '.join(known)}."
        return f"There is no key {str(key)[:60]!r}.", fix
    got = "nothing" if error["input"] is None else repr(str(error["input"])[:60])
    fallback = ("It must hold keys and values, got {got}.", "Such as {ratio: 3}.")
    problem, fix = EXPLAINED.get(error["type"], fallback)
    filled = problem.replace("{key}", str(key)).replace("{got}", got)
    return filled.replace("{expected}", str(context.get("expected"))), fix


def _place(place: tuple[int | str, ...]) -> str | None:
    shown = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place)
    return shown.removeprefix(".") or None
