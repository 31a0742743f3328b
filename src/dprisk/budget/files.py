"""Risk profiles as files: YAML, TOML or JSON in, YAML or JSON out; checked by pydantic models."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal

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

from dprisk._files import write
from dprisk.budget.boxes import (
    CounterfactualLimit,
    DifferenceLimit,
    OddsLimit,
    PosteriorLimit,
    PowerLimit,
    RatioLimit,
)
from dprisk.budget.profile import Profile
from dprisk.budget.shapes import AllOf, AnyOf, RatioTable
from dprisk.errors import InvalidFile, InvalidInput, did_you_mean
from dprisk.releases.loading import documents, read_text
from dprisk.releases.values import Version, number, place, refusal

INFINITE: Final = ("inf", "+inf", ".inf", "+.inf", "Infinity")
PRIORS: Final = ("membership_prior", "value_prior")
HEADS: Final[dict[str, tuple[Callable[..., Profile], tuple[str, ...]]]] = {
    # the key that says what is limited, what it makes, and the keys beside it
    "ratio": (RatioLimit, PRIORS),
    "posterior": (PosteriorLimit, PRIORS),
    "odds": (OddsLimit, PRIORS),
    "difference": (DifferenceLimit, PRIORS),
    "power": (PowerLimit, ("level",)),
    "counterfactual": (CounterfactualLimit, ()),
    "table": (RatioTable, ("between",)),
    "any_of": (AnyOf, ()),
    "all_of": (AllOf, ()),
}


def _number(value: Any) -> float:
    if str(value).strip() in INFINITE:
        return float("inf")
    return float(number(value, "budget.file.number"))


def _span(value: Any) -> Any:
    if not isinstance(value, (list, tuple)):
        return _number(value)
    if len(value) != 2:
        problem = "It must be one prior, or the least and the largest."
        raise refusal(problem, "Write [0, 0.1] for all priors up to 0.1.")
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
        given = self._given()
        heads = [name for name in given if name in HEADS]
        if len(heads) != 1:
            problem = (
                f"It must have one of {', '.join(HEADS)}, got {' and '.join(heads) or 'none'}."
            )
            raise refusal(problem, "Several limits stand in a list under `any_of` or `all_of`.")
        (head,) = heads
        beside = HEADS[head][1]
        wrong = [name for name in given if name not in (head, *beside)]
        if wrong:
            fix = f"Beside `{head}` stands {', '.join(beside) or 'nothing else'}."
            raise refusal(f"{wrong[0]} has no meaning for {head}.", fix)
        if head == "power" and self.level is None:
            fix = "Write the level of the test, such as level: 0.05."
            raise refusal("level is missing.", fix)
        return self

    def to_profile(self) -> Profile:
        """The profile that it describes."""
        given = self._given()
        head = next(name for name in given if name in HEADS)
        value = given.pop(head)
        if head in ("any_of", "all_of"):
            value = [entry.to_profile() for entry in value]
        return HEADS[head][0](value, **given)

    def _given(self) -> dict[str, Any]:
        every = {name: getattr(self, name) for name in type(self).model_fields}
        return {name: value for name, value in every.items() if value is not None}


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
        raise InvalidFile(path, *_explained(first), place(first["loc"])) from None
    except InvalidInput as error:
        problem = f"{error.name} must be {error.allowed}, got {error.value!r}."
        raise InvalidFile(path, problem, error.fix or "Correct the value.", "profile") from None


def profile_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of the profile file format."""
    schema = ProfileFile.model_json_schema()
    schema["$defs"]["ProfileEntry"]["oneOf"] = [{"required": [head]} for head in HEADS]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


ROW: Final = "Write [membership prior, value prior, ratio]."
EXPLAINED: Final = {  # by pydantic's type of error: what is wrong, and what to do about it
    "too_short": ("A row of the table is too short.", ROW),
    "too_long": ("A row of the table is too long.", ROW),
    "literal_error": ("{key} must be {expected}, got {got}.", "Choose one of these."),
    "tuple_type": ("It must be a list, got {got}.", "Start each item of it with a hyphen."),
    "string_type": ("It must be text, got {got}.", "Write some text, or leave the key out."),
}
MISSING: Final = {
    "dprisk": "Add the line `dprisk: 1`, the version of the format.",
    "profile": "Say what is tolerated, such as `profile: {ratio: 3}`.",
}


def _explained(error: ErrorDetails) -> tuple[str, str]:
    """Say what is wrong with an entry of a file, and what to do about it."""
    key, kind = error["loc"][-1] if error["loc"] else "", error["type"]
    context = error.get("ctx", {})
    if kind == "refused":
        return str(context["problem"]), str(context["fix"])
    if kind == "missing" and not isinstance(key, int):
        return f"{key} is missing.", MISSING.get(key, "Add it.")
    if kind == "extra_forbidden":
        known = list((ProfileFile if len(error["loc"]) == 1 else ProfileEntry).model_fields)
        fix = did_you_mean(key, known) or f"Known keys: {', '.join(known)}."
        return f"There is no key {str(key)[:60]!r}.", fix
    got = "nothing" if error["input"] is None else repr(str(error["input"])[:60])
    other = "It must contain keys and values, got {got}.", "Such as {{ratio: 3}}."
    said, fix = EXPLAINED.get("too_short" if kind == "missing" else kind, other)
    words = {"key": key, "got": got, "expected": context.get("expected")}
    return said.format_map(words), fix.format_map(words)


def read_profile(path: str | os.PathLike[str]) -> Profile:
    """Read the risk profile that a file describes.

    Parameters
    ----------
    path : str or path
        A YAML, TOML or JSON file with the keys ``dprisk`` and ``profile``.

    Returns
    -------
    Profile
        One limit, a table, or several of them.

    Raises
    ------
    InvalidFile
        If the file cannot be read as a profile; the message says where, why and what to do.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from dprisk.budget import read_profile
    >>> text = "dprisk: 1\\nprofile: {ratio: 3, value_prior: 1}"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "clinic.yaml"
    ...     size = path.write_text(text)
    ...     profile = read_profile(path)
    >>> profile
    RatioLimit(ratio_limit=3.0, membership_prior=(0.0, 1.0), value_prior=(1.0, 1.0))
    """
    shown, text = os.fspath(path), read_text(path)
    if not text.strip():
        raise InvalidFile(shown, "It is empty.", "Describe a risk profile in it.")
    trees = documents(path, text)
    if len(trees) > 1:
        problem = f"It holds {len(trees)} documents where one profile is expected."
        raise InvalidFile(shown, problem, "Split it.")
    if not isinstance(trees[0], Mapping):
        problem = "It must contain keys and values, such as `profile: {ratio: 3}`."
        raise InvalidFile(shown, problem, "See the format of profile files in the documentation.")
    return checked(trees[0], shown)


def write_profile(
    profile: Profile, path: str | os.PathLike[str], name: str = "", *, force: bool = False
) -> None:
    """Write a risk profile to a file, so that `read_profile` gives the same profile back.

    Parameters
    ----------
    profile : Profile
        What to write; a function of Python cannot be.
    path : str or path
        Where to write it: a name that ends in .yaml, .yml or .json.
    name : str
        What the profile is for, in words.
    force : bool
        Whether a file that is there may be replaced.

    Raises
    ------
    InvalidInput
        If a file cannot hold the profile.
    InvalidFile
        If no file can be written there, or its ending is another.
    NotWritten
        If writing fails; what was there is whole.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from dprisk.budget import RatioLimit, read_profile, write_profile
    >>> profile = RatioLimit(3.0, membership_prior=(0.0, 0.1))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "profile.json"
    ...     write_profile(profile, path)
    ...     read_profile(path) == profile
    True
    """
    suffix = Path(path).suffix.lower()
    if suffix not in (".yaml", ".yml", ".json"):
        problem = f"A profile is written as YAML or JSON, not as {suffix!r}."
        raise InvalidFile(os.fspath(path), problem, "Use the ending .yaml or .json.")
    if suffix == ".json":
        text = json.dumps(_tree(profile, name), indent=2, allow_nan=False) + "\n"
    else:
        text = profile_in_yaml(profile, name)
    write(path, text.encode(), force=force)


def profile_in_yaml(profile: Profile, name: str = "") -> str:
    """A profile as the text of a YAML file."""
    import yaml

    return str(yaml.safe_dump(_tree(profile, name), sort_keys=False, allow_unicode=True, width=96))


def _tree(profile: Profile, name: str) -> dict[str, Any]:
    return {"dprisk": 1, **({"name": name} if name else {}), "profile": profile.to_tree()}
