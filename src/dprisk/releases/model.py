"""The format of release files: pydantic models that check it, and what `read` makes of it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import ErrorDetails, PydanticCustomError

from dprisk._checks import did_you_mean
from dprisk.errors import InvalidFile, InvalidInput
from dprisk.guarantees.base import Neighbors
from dprisk.mechanisms import Mechanism
from dprisk.mechanisms.base import kinds
from dprisk.releases.forms import FORMS, built, matching
from dprisk.releases.notes import MODELS, Model, Note, NoteKind, about_model
from dprisk.releases.release import Part, Release
from dprisk.releases.spelling import (
    DATE,
    as_decimal,
    dp_sgd,
    hint,
    is_date,
    meant,
)
from dprisk.releases.spelling import (
    MODELS as OTHER_MODELS,
)
from dprisk.releases.spelling import (
    NEIGHBORS as OTHER_NEIGHBORS,
)
from dprisk.text import fill, has

VERSION = 1


def refused(key: str, fix: str = "", /, **words: Any) -> PydanticCustomError:
    """A refusal by the key of what is wrong; with what to do, if that is not under the key."""
    return refusal(fill(key, **words), fix or fill(f"{key}.fix", **words))


def refusal(problem: str, fix: str) -> PydanticCustomError:
    """A refusal in words that are there already."""
    return PydanticCustomError("refused", "{problem} {fix}", {"problem": problem, "fix": fix})


def number(value: Any, fix: str = "releases.model.number.fix") -> str:
    """A number in decimal text; numbers of Python are written out."""
    text = as_decimal(value)
    if text is None:
        said = fill(fix, hint=hint(value)).lstrip()
        raise refused("releases.model.number", said, value=repr(str(value)[:60]))
    return text


def place(steps: tuple[int | str, ...]) -> str | None:
    """A place in a file, as one would write it; None for the whole file."""
    shown = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return shown.removeprefix(".") or None


def _version(value: Any) -> int:
    if isinstance(value, bool) or str(value).strip() != str(VERSION):
        said = repr(str(value)[:20])
        raise refused("releases.model.version", version=said, known=VERSION)
    return VERSION


Version = Annotated[int, BeforeValidator(_version), WithJsonSchema({"const": VERSION})]


if TYPE_CHECKING:
    Definition = str
else:
    Definition = Literal[tuple(form.definition for form in FORMS if form.definition)]
MOST_TIMES = 10**9
LONGEST = 10_000
PARAMETERS = ("epsilon", "delta", "rho", "xi", "mu", "alpha", "gamma", "sides")
SAID = ("dprisk", "kind", "model", "name", "neighbors", "period", "unit")


def _what_to_say(key: str) -> str:
    """Advice on a key that is missing or wrong; empty for some of them."""
    if key not in SAID:
        return ""
    choices = ", ".join(kinds() if key == "kind" else (f"`model: {name}`" for name in MODELS))
    return fill(f"releases.model.say.{key}", choices=choices)


def _decimals(value: Any) -> str:
    """One number, or a list of them joined by commas."""
    if isinstance(value, (list, tuple)) and value:
        return ", ".join(number(item) for item in value)
    return number(value)


def _count(value: Any) -> int:
    digits = str(value).strip()
    if isinstance(value, bool) or not re.fullmatch(r"0|[1-9][0-9]*", digits):
        raise refused("releases.model.count", hint(value), value=repr(str(value)[:60]))
    if len(digits) > len(str(MOST_TIMES)):
        raise refused("releases.model.count.long", value=repr(digits[:20]), digits=len(digits))
    return int(digits)


def _date(value: Any) -> Any:
    if isinstance(value, str) and value.strip() and not is_date(value):
        raise refused("releases.model.date", date=repr(value[:60]), example=DATE)
    return value


def _neighbors(value: Any) -> Any:
    return meant(OTHER_NEIGHBORS, value)


def _model(value: Any) -> Any:
    return meant(OTHER_MODELS, value)


def _in_known_words(given: Any) -> Any:
    """A part as it is, unless its keys are those of DP-SGD in other libraries."""
    said = dp_sgd(given) if isinstance(given, Mapping) else None
    if said:
        raise refusal(said.problem, said.fix)
    return given


def _several(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


NUMBER = {"anyOf": [{"type": "number"}, {"type": "string", "pattern": r"^[+-]?[0-9.]+"}]}
NUMBERS = {"anyOf": [*NUMBER["anyOf"], {"type": "array", "items": NUMBER, "minItems": 1}]}
WORDS = {"type": "string", "minLength": 1}
TEXTS = {"anyOf": [WORDS, {"type": "array", "items": WORDS}]}
COUNT = {"type": "integer", "minimum": 1, "maximum": MOST_TIMES, "default": 1}

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST)]
Label = Annotated[str, StringConstraints(max_length=LONGEST)]
Texts = Annotated[tuple[Text, ...], BeforeValidator(_several), WithJsonSchema(TEXTS)]
Number = Annotated[str, BeforeValidator(number), WithJsonSchema(NUMBER)]
Numbers = Annotated[str, BeforeValidator(_decimals), WithJsonSchema(NUMBERS)]
Count = Annotated[int, BeforeValidator(_count), Field(ge=1, le=MOST_TIMES), WithJsonSchema(COUNT)]


def _guarantee_schema(schema: dict[str, Any]) -> None:
    schema["oneOf"] = [
        {
            "required": [*(["definition"] if form.definition else []), *form.required],
            "properties": {
                **({"definition": {"const": form.definition}} if form.definition else {}),
                **{name: False for name in PARAMETERS if name not in form.required + form.optional},
                **({} if form.definition else {"definition": False}),
            },
        }
        for form in FORMS
    ]


def _mechanism_schema(schema: dict[str, Any]) -> None:
    schema["additionalProperties"] = True
    schema["oneOf"] = [
        {
            "required": ["kind", *_needed(kind)],
            "properties": {"kind": {"const": kind}, **dict.fromkeys(_known(kind), NUMBER)},
            "propertyNames": {"enum": ["kind", "count", "label", *_known(kind)]},
        }
        for kind in kinds()
    ]


class GuaranteeEntry(BaseModel):
    """A promise: the keys of one definition of privacy."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_extra=_guarantee_schema)

    definition: Definition | None = None
    epsilon: Number | None = None
    delta: Number | None = None
    rho: Number | None = None
    xi: Number | None = None
    mu: Number | None = None
    alpha: Numbers | None = None
    gamma: Numbers | None = None
    sides: Literal["both", "one"] | None = None
    count: Count = 1
    label: Label = ""

    @model_validator(mode="before")
    @classmethod
    def _is_no_dp_sgd(cls, given: Any) -> Any:
        return _in_known_words(given)

    @model_validator(mode="after")
    def _is_one_promise(self) -> GuaranteeEntry:
        try:
            matching(self.written, self.definition)
        except InvalidInput as error:
            said = fill("releases.must-be", name=error.name, allowed=error.allowed, got=error.value)
            raise refusal(f"{said[0].upper()}{said[1:]}", error.fix) from None
        return self

    @property
    def written(self) -> dict[str, str]:
        """The parameters that are there, as written."""
        found = {name: getattr(self, name) for name in PARAMETERS}
        return {name: text for name, text in found.items() if text is not None}

    def to_part(self, neighbors: Neighbors) -> Part:
        """The part of a release that it describes."""
        guarantee = built(self.written, neighbors, self.definition)
        return Part(guarantee, self.count, self.label, self.written)


class MechanismEntry(BaseModel):
    """A mechanism that was run: its kind and its parameters."""

    model_config = ConfigDict(extra="allow", frozen=True, json_schema_extra=_mechanism_schema)

    kind: str
    count: Count = 1
    label: Label = ""

    @model_validator(mode="before")
    @classmethod
    def _is_no_dp_sgd(cls, given: Any) -> Any:
        return _in_known_words(given)

    @model_validator(mode="after")
    def _is_known(self) -> MechanismEntry:
        if self.kind not in kinds():
            fix = did_you_mean(self.kind, kinds()) or _what_to_say("kind")
            raise refused("releases.model.mechanism", fix, kind=repr(self.kind[:60]))
        known, given = _known(self.kind), self.model_extra or {}
        takes = fill("releases.model.takes", kind=self.kind, keys=", ".join(known))
        for name in given:
            if name not in known:
                fix = did_you_mean(name, known) or takes
                raise refused(
                    "releases.model.mechanism-key", fix, key=repr(name[:60]), kind=self.kind
                )
        for name in _needed(self.kind):
            if name not in given:
                raise refused("releases.model.missing", takes, key=name)
        for value in given.values():
            number(value)
        return self

    def to_part(self, neighbors: Neighbors) -> Part:
        """The part of a release that it describes."""
        given = {name: number(value) for name, value in (self.model_extra or {}).items()}
        values = {name: float(text) for name, text in given.items()}
        make: Any = kinds()[self.kind]
        try:
            mechanism: Mechanism = make(**values, neighbors=neighbors)
        except InvalidInput as error:
            if error.name != "neighbors":
                raise
            fix = f"{self.kind} is about other neighbors; state a promise under `guarantees`."
            raise InvalidInput("neighbors", neighbors, error.allowed, fix) from None
        keeps = mechanism.guarantee()
        return Part(keeps, self.count, self.label, {"kind": self.kind, **given}, mechanism)


class NoteEntry(BaseModel):
    """Something that a reader has to know."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: NoteKind
    text: Text


class ReleaseFile(BaseModel):
    """A release, as a file describes it."""

    model_config = ConfigDict(extra="forbid", frozen=True, title="Release")

    dprisk: Version
    name: Text
    unit: Text
    period: Text
    neighbors: Annotated[Neighbors, BeforeValidator(_neighbors)]
    model: Annotated[Model, BeforeValidator(_model)]
    guarantees: tuple[GuaranteeEntry, ...] = ()
    mechanisms: tuple[MechanismEntry, ...] = ()
    separate_parts: bool = False
    releases: Count = 1
    stated_also: tuple[GuaranteeEntry, ...] = ()
    invariants: Texts = ()
    source: Texts = ()
    curator: Text | None = None
    date: Annotated[Text, BeforeValidator(_date)] | None = None
    region: Text | None = None
    neighbors_stated: bool = True
    notes: tuple[NoteEntry, ...] = ()

    @model_validator(mode="after")
    def _promises_something(self) -> ReleaseFile:
        if not self.guarantees and not self.mechanisms:
            raise refused("releases.model.nothing")
        both = bool(self.guarantees and self.mechanisms)
        if both != self.separate_parts:
            raise refused(f"releases.model.{'twice' if both else 'one-list'}")
        return self

    def to_release(self) -> Release:
        """Make the release that the file describes."""
        return Release(
            parts=self._parts("guarantees") + self._parts("mechanisms"),
            stated_also=self._parts("stated_also"),
            notes=self._notes(),
            **{name: getattr(self, name) for name in COPIED},
        )

    def _notes(self) -> tuple[Note, ...]:
        """Those of the file, and what a model implies that is seldom thought of."""
        found = [Note(note.kind, note.text) for note in self.notes]
        if self.model in ("shuffle", "federated"):
            found += about_model(self.model)
        return tuple(dict.fromkeys(found))

    def _parts(self, name: str) -> tuple[Part, ...]:
        found = []
        for index, entry in enumerate(getattr(self, name)):
            try:
                found.append(entry.to_part(self.neighbors))
            except InvalidInput as error:
                place = f"{name}[{index}].{error.name}"
                raise type(error)(place, error.value, error.allowed, error.fix) from None
        return tuple(found)


COPIED = (
    "name", "unit", "period", "neighbors", "neighbors_stated", "model", "releases",
    "curator", "region", "date", "invariants", "source",
)  # fmt: skip


def checked(tree: Mapping[str, Any], path: str | os.PathLike[str]) -> ReleaseFile:
    """A tree read from a file, checked against the format."""
    try:
        return ReleaseFile.model_validate(tree)
    except ValidationError as error:
        found = error.errors(include_url=False)
        first = min(found, key=lambda each: each["type"] != "extra_forbidden")
        problem, fix = _explained(first)
        rest = len(found) - 1
        if rest:
            more = "releases.model.more.one" if rest == 1 else "releases.model.more"
            fix = f"{fix} {fill(more, number=rest)}"
        raise InvalidFile(path, problem, fix, place(first["loc"])) from None


def json_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of the release file format."""
    schema = ReleaseFile.model_json_schema()
    named = [
        {"required": [name], "properties": {name: {"minItems": 1}}}
        for name in ("guarantees", "mechanisms")
    ]
    schema["anyOf"] = named
    schema["if"] = {"allOf": named}
    schema["then"] = {
        "required": ["separate_parts"],
        "properties": {"separate_parts": {"const": True}},
    }
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _explained(error: ErrorDetails) -> tuple[str, str]:
    """The error in words, and what to do about it."""
    key = str(error["loc"][-1]) if error["loc"] else ""
    context = error.get("ctx", {})
    if error["type"] == "refused":
        return str(context["problem"]), str(context["fix"])
    if error["type"] == "missing":
        fix = _what_to_say(key) or "Add it."
        return fill("releases.model.missing", key=key), fix
    if error["type"] == "extra_forbidden":
        known = _known_keys(error["loc"])
        fix = did_you_mean(key, known) or fill("releases.model.known-keys", keys=", ".join(known))
        return fill("releases.model.key", key=repr(key[:60])), fix
    say = _what_to_say(key) if len(error["loc"]) == 1 else ""
    wrong = f"releases.model.type.{error['type']}"
    if not has(wrong):
        return f"{error['msg']}.", say or fill("releases.correct")
    got = fill("releases.model.nothing-there")
    if error["input"] is not None:
        got = repr(str(error["input"])[:60])
    return fill(wrong, **{"key": key, **context, "got": got}), say or fill(f"{wrong}.fix")


def _known_keys(place: tuple[int | str, ...]) -> list[str]:
    """The keys that may stand at a place of a file."""
    if len(place) == 1:
        return list(ReleaseFile.model_fields)
    return list((NoteEntry if place[0] == "notes" else GuaranteeEntry).model_fields)


def _known(kind: str) -> list[str]:
    """The parameters of a mechanism."""
    cls: Any = kinds()[kind]
    return [field.name for field in fields(cls) if field.name != "neighbors"]


def _needed(kind: str) -> list[str]:
    cls: Any = kinds()[kind]
    known = _known(kind)
    return [f.name for f in fields(cls) if f.name in known and f.default is MISSING]


def recognizes(tree: Mapping[str, Any]) -> bool:
    """Whether a document says that it is in this format."""
    return "dprisk" in tree


def read(tree: Mapping[str, Any], path: str) -> Release:
    """The release that a document describes, checked."""

    file = checked(tree, path)
    try:
        return file.to_release()
    except InvalidInput as error:
        place, _, name = error.name.rpartition(".")
        problem = fill("releases.must-be", name=name, allowed=error.allowed, got=repr(error.value))
        fix = error.fix or fill("releases.correct")
        raise InvalidFile(path, problem, fix, f"{place}.{name}".strip(".")) from None
