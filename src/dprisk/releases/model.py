"""The format of release files: pydantic models that check it, and what `read` makes of it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import MISSING, fields, replace
from typing import TYPE_CHECKING, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails

from dprisk.errors import InvalidFile, InvalidInput, did_you_mean
from dprisk.guarantees.base import Neighbors
from dprisk.mechanisms import Mechanism
from dprisk.mechanisms.base import kinds
from dprisk.releases import training
from dprisk.releases.cautions import about_small_delta
from dprisk.releases.computational import Computational
from dprisk.releases.forms import FORMS, built, matching
from dprisk.releases.notes import MODELS, Note, NoteKind, about_model
from dprisk.releases.release import Part, Release
from dprisk.releases.spelling import as_decimal, rows_of, rows_text
from dprisk.releases.values import (
    NUMBER,
    ROWS,
    Advantage,
    Count,
    Date,
    Label,
    Number,
    Numbers,
    OneModel,
    OneNeighbors,
    Text,
    Texts,
    Version,
    number,
    place,
    refusal,
    refused,
)
from dprisk.text import fill, has

RUN = (*kinds(), training.KIND)
PARAMETERS = ("epsilon", "delta", "rho", "xi", "mu", "alpha", "gamma", "sides")
SAID = ("dprisk", "kind", "model", "name", "neighbors", "period", "unit")

if TYPE_CHECKING:
    Definition = str
else:
    Definition = Literal[tuple(form.definition for form in FORMS if form.definition)]


def _what_to_say(key: str) -> str:
    """Advice on a key that is missing or wrong; empty for some of them."""
    if key not in SAID:
        return ""
    choices = ", ".join(kinds() if key == "kind" else (f"`model: {name}`" for name in MODELS))
    return fill(f"releases.model.say.{key}", choices=choices)


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
            "properties": {
                "kind": {"const": kind},
                **dict.fromkeys(_known(kind), NUMBER),
                **dict.fromkeys(_lists(kind), ROWS),
            },
            "propertyNames": {"enum": ["kind", "count", "label", "attributes", *_known(kind)]},
        }
        for kind in kinds()
    ] + [
        {
            "properties": {"kind": {"const": training.KIND}},
            "propertyNames": {"enum": ["kind", "count", "label", "attributes", *training.KEYS]},
        }
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
    attributes: tuple[Text, ...] | None = None

    @model_validator(mode="before")
    @classmethod
    def _is_no_training(cls, given: Any) -> Any:
        """A promise; what was run is listed apart."""
        found = training.describes(given) if isinstance(given, Mapping) else []
        if found:
            raise refused("releases.training.promise", keys=", ".join(found))
        return given

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
        return Part(guarantee, self.count, self.label, self.written, None, self.attributes)


def _parameter(kind: str, name: str, value: Any) -> str:
    """A parameter of a mechanism in decimal text: a number, or a list where it takes one."""
    if name not in _lists(kind):
        return number(value)
    text = rows_text(value)
    if text is None:
        raise refused("releases.model.rows", key=name)
    return text


class MechanismEntry(BaseModel):
    """A mechanism that was run: its kind and its parameters."""

    model_config = ConfigDict(extra="allow", frozen=True, json_schema_extra=_mechanism_schema)

    kind: str
    count: Count = 1
    label: Label = ""
    attributes: tuple[Text, ...] | None = None

    @model_validator(mode="before")
    @classmethod
    def _has_a_kind(cls, given: Any) -> Any:
        """A training may leave it out: its keys say what it is."""
        found = isinstance(given, Mapping) and training.describes(given)
        return {"kind": training.KIND, **given} if found else given

    @model_validator(mode="after")
    def _is_known(self) -> MechanismEntry:
        if self.kind not in RUN:
            fix = did_you_mean(self.kind, RUN) or _what_to_say("kind")
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
        for name, value in given.items() if self.kind in kinds() else ():
            _parameter(self.kind, name, value)
        return self

    def training(self, neighbors: Neighbors) -> training.Training | None:
        """The training that it describes, if it is one."""
        given = {name: str(value) for name, value in (self.model_extra or {}).items()}
        return training.by_keys(given, neighbors) if self.kind == training.KIND else None

    def to_part(self, neighbors: Neighbors) -> Part:
        """The part of a release that it describes."""
        if found := self.training(neighbors):
            noise = str((self.model_extra or {}).get("noise_multiplier"))
            part = found.part(self.count, self.label, as_decimal(noise))
            return replace(part, attributes=self.attributes)
        extra = (self.model_extra or {}).items()
        given = {name: _parameter(self.kind, name, value) for name, value in extra}
        values = {name: rows_of(text) for name, text in given.items()}
        make: Any = kinds()[self.kind]
        try:
            mechanism: Mechanism = make(**values, neighbors=neighbors)
        except InvalidInput as error:
            if error.name != "neighbors":
                raise
            fix = f"{self.kind} is about other neighbors; state a promise under `guarantees`."
            raise InvalidInput("neighbors", neighbors, error.allowed, fix) from None
        keeps = mechanism.guarantee()
        written = {"kind": self.kind, **given}
        return Part(keeps, self.count, self.label, written, mechanism, self.attributes)


class NoteEntry(BaseModel):
    """Something that a reader has to know."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: NoteKind
    text: Text


class ComputationalEntry(BaseModel):
    """A cipher or generator, and the advantage with which it can be told from an ideal one."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    advantage: Advantage
    assumption: Text


class ReleaseFile(BaseModel):
    """A release, as a file describes it."""

    model_config = ConfigDict(extra="forbid", frozen=True, title="Release")

    dprisk: Version
    name: Text
    unit: Text
    period: Text
    neighbors: OneNeighbors
    model: OneModel
    guarantees: tuple[GuaranteeEntry, ...] = ()
    mechanisms: tuple[MechanismEntry, ...] = ()
    separate_parts: bool = False
    releases: Count = 1
    stated_also: tuple[GuaranteeEntry, ...] = ()
    invariants: Texts = ()
    source: Texts = ()
    curator: Text | None = None
    date: Date | None = None
    region: Text | None = None
    neighbors_stated: bool = True
    notes: tuple[NoteEntry, ...] = ()
    computational: ComputationalEntry | None = None

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
            computational=self._computational(),
            **{name: getattr(self, name) for name in COPIED},
        )

    def _computational(self) -> Computational | None:
        found = self.computational
        return None if found is None else Computational(float(found.advantage), found.assumption)

    def _notes(self) -> tuple[Note, ...]:
        """Those of the file, and what a model or a training implies that is seldom thought of."""
        found = [Note(note.kind, note.text) for note in self.notes]
        trained = (each.training(self.neighbors) for each in self.mechanisms)
        for each in trained:
            found += each.notes if each else ()
            for stated in self.stated_also if each else ():  # by the tool that trained, mostly
                found += about_small_delta(float(stated.delta or 0.0))
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
    entries: dict[str, type[BaseModel]] = {"notes": NoteEntry, "computational": ComputationalEntry}
    return list(entries.get(str(place[0]), GuaranteeEntry).model_fields)


def _known(kind: str) -> list[str]:
    """The parameters of a mechanism."""
    if kind == training.KIND:
        return list(training.KEYS)
    cls: Any = kinds()[kind]
    return [field.name for field in fields(cls) if field.name != "neighbors"]


def _lists(kind: str) -> list[str]:
    """Those that are lists of numbers, or of rows."""
    cls: Any = kinds()[kind]
    return [field.name for field in fields(cls) if "tuple" in str(field.type)]


def _needed(kind: str) -> list[str]:
    if kind == training.KIND:
        return []
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
