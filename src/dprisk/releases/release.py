"""The description of a release: what was published, by whom, under which promises."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, final

from dprisk._checks import assign, whole
from dprisk._values import brief, result
from dprisk.errors import InvalidInput, one_of, refused
from dprisk.guarantees import Guarantee
from dprisk.guarantees.base import NEIGHBORS, Composed, Neighbors
from dprisk.mechanisms.base import Mechanism
from dprisk.releases.computational import Computational
from dprisk.releases.notes import MODELS, Model, Note, _filled, normalized_unit
from dprisk.releases.spelling import decimal_text, rows_text


@final
@result
@dataclass(frozen=True, repr=False)
class Part:
    """One promise that a release makes, and how often.

    Parameters
    ----------
    guarantee : Guarantee
        What is promised.
    count : int
        How many times it is used, composed. [1, 10^9]
    label : str
        What it covers, in words; may be empty.
    given : mapping of str to str, optional
        The parameters as their author wrote them, in decimal text. Left out: as Python writes them.
    mechanism : Mechanism, optional
        What was run, where that is known: its own privacy loss is then what enters composition,
        and `guarantee` is the promise that it keeps, for readers.
    attributes : sequence of str, optional
        The attributes of a record that it depends on; empty if it depends on none. Left out, it
        may depend on any.

    Raises
    ------
    InvalidInput
        If `guarantee` or `mechanism` is something else, or they are about different neighbors, or
        an attribute has no name.
    OutOfRange
        If `count` is not a whole number of at least one.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.releases import Part
    >>> Part(PureDP(0.1, neighbors="add-remove"), given={"epsilon": "0.10"}).given["epsilon"]
    '0.10'
    >>> Part(PureDP(0.1, neighbors="add-remove")).given["epsilon"]
    '0.1'
    """

    guarantee: Guarantee
    count: int = 1
    label: str = ""
    given: Mapping[str, str] = field(default_factory=dict, hash=False)
    mechanism: Mechanism | None = None
    attributes: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.guarantee, Guarantee):
            raise InvalidInput("guarantee", self.guarantee, "a guarantee, such as PureDP(1.0)")
        self._check_mechanism()
        assign(self, count=whole("count", self.count, 1))
        if self.attributes is not None:
            assign(self, attributes=tuple(self.attributes))
            if not all(isinstance(name, str) and name.strip() for name in self.attributes):
                raise InvalidInput("attributes", self.attributes, "names, such as race or age")
        written = dict(self.given) or {
            name: decimal_text(value) for name, value in self.guarantee.parameters.items()
        }
        assign(self, given=written)

    @classmethod
    def of(cls, mechanism: Mechanism, count: int = 1, label: str = "") -> Part:
        """Make the part that a mechanism contributes to a release.

        Parameters
        ----------
        mechanism : Mechanism
            What was run.
        count : int
            How many times. [1, 10^9]
        label : str
            What it covers, in words; may be empty.

        Returns
        -------
        Part
            With the promise that the mechanism keeps and, for one of those that files know, its
            parameters as Python writes them.

        Raises
        ------
        InvalidInput
            If `mechanism` is not one.
        OutOfRange
            If `count` is not a whole number of at least one, or there is no noise to speak of.
        """
        if not isinstance(mechanism, Mechanism):
            raise _no_mechanism(mechanism)
        from dprisk.mechanisms.base import kinds

        kind = next((name for name, made in kinds().items() if type(mechanism) is made), None)
        given = {} if kind is None else {"kind": kind, **_written(mechanism)}
        return cls(mechanism.guarantee(), count, label, given, mechanism)

    def for_composition(self, *, accuracy: float | None = None) -> Guarantee:
        """The strongest that is known of one use.

        Parameters
        ----------
        accuracy : float, optional
            How wide brackets of epsilon and delta may be, in nats of epsilon: kept, or refused.
            [1e-13, 1]

        Returns
        -------
        Guarantee
            The mechanism's own privacy loss where the mechanism is known, otherwise the promise.
        """
        if self.mechanism is None:
            return self.guarantee
        return self.mechanism.loss(accuracy=accuracy)

    def _check_mechanism(self) -> None:
        if self.mechanism is None:
            return
        if not isinstance(self.mechanism, Mechanism):
            raise _no_mechanism(self.mechanism)
        if self.mechanism.neighbors != self.guarantee.neighbors:
            neighbors = {"neighbors": self.guarantee.neighbors}
            name = "the neighbors of the mechanism"
            key = "releases.release.mechanism-neighbors"
            raise refused(key, name, self.mechanism.neighbors, **neighbors)


@final
@result
@dataclass(frozen=True, repr=False)
class Release:
    """A release, described: the numbers, and what they speak about.

    Parameters
    ----------
    name : str
        What is released.
    unit : str or None
        Whose data, or which part of it, is protected, as its author says it: ``"person"``,
        ``"user-day"``. None: not stated.
    period : str or None
        The stretch of time that one release covers: ``"day"``, ``"month"``, or ``"once"``. None:
        not stated.
    neighbors : {"add-remove", "replace-one"}
        Which datasets are neighbors, for every part.
    neighbors_stated : bool
        Whether the source says so; False where a convention fills in.
    model : {"central", "local", "shuffle", "federated", "varies"} or None
        Who adds the noise: the curator, or each person before the data is collected.
    parts : tuple of Part
        The promises, composed together. Empty if the source gives no number that can be used.
    stated_also : tuple of Part
        The same whole release, stated in another way. Never composed with `parts`.
    releases : int
        How many times the whole is released, composed. [1, 10^9]
    curator : str or None
        Who releases it.
    region : str or None
        Where the data comes from.
    date : str or None
        When it was first published, ISO 8601, or as much of that as is known.
    invariants : tuple of str
        What is published without noise, outside of every promise.
    source : tuple of str
        Where all this can be looked up.
    notes : tuple of Note
        What a reader has to know.
    computational : Computational, optional
        A cipher or generator that the promises take for ideal. Left out: they rest on none.

    Raises
    ------
    InvalidInput
        If `name` is empty, `neighbors` or `model` is not one of the values above, or a part was
        proven for other neighbors.
    OutOfRange
        If `releases` is not a whole number of at least one.

    Examples
    --------
    >>> from dprisk import PureDP
    >>> from dprisk.releases import Part, Release
    >>> release = Release(
    ...     name="Weekly visits",
    ...     unit="User-week-level",
    ...     period="week",
    ...     neighbors="add-remove",
    ...     neighbors_stated=True,
    ...     model="central",
    ...     parts=(Part(PureDP(0.5, neighbors="add-remove")),),
    ... )
    >>> release.normalized_unit, release.is_assessable
    ('user-week', True)
    """

    name: str
    unit: str | None
    period: str | None
    neighbors: Neighbors
    neighbors_stated: bool
    model: Model | None
    parts: tuple[Part, ...]
    stated_also: tuple[Part, ...] = ()
    releases: int = 1
    curator: str | None = None
    region: str | None = None
    date: str | None = None
    invariants: tuple[str, ...] = ()
    source: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    computational: Computational | None = None

    def __post_init__(self) -> None:
        _filled("name", self.name)
        one_of("neighbors", self.neighbors, NEIGHBORS)
        if self.model is not None:
            one_of("model", self.model, MODELS)
        if not isinstance(self.computational, Computational | None):
            raise refused("releases.release.computational", "computational", self.computational)
        assign(self, releases=whole("releases", self.releases, 1))
        for name in ("parts", "stated_also", "invariants", "source", "notes"):
            object.__setattr__(self, name, _listed(name, getattr(self, name)))
        for name in ("parts", "stated_also"):
            for index, part in enumerate(getattr(self, name)):
                self._check_neighbors(f"{name}[{index}]", part)

    def __repr__(self) -> str:
        promised = ", ".join(
            f"{part.count} x {part.guarantee!r}" if part.count > 1 else repr(part.guarantee)
            for part in self.parts
        )
        said = brief(promised or "no number that can be assessed", "", 160)
        times = f"; {self.releases} times" if self.releases > 1 else ""
        return f"<Release {brief(self.name)!r}: {said}{times}>"

    @classmethod
    def of(
        cls,
        what: Described | Part,
        *,
        name: str = "A release",
        unit: str | None = None,
    ) -> Release:
        """A release that is described already, or one of which only a number is known.

        Parameters
        ----------
        what : Release, Part, Guarantee, Mechanism or Composed
            A release is returned as it is; anything else is the only part of a release.
        name : str
            What is released, unless it is described.
        unit : str, optional
            Whose data is protected, unless it is described.

        Returns
        -------
        Release
            Released once, its neighbors as stated by the part; period and model are not stated.

        Raises
        ------
        InvalidInput
            If `what` is none of these.

        Examples
        --------
        >>> from dprisk import PureDP
        >>> from dprisk.releases import Release
        >>> Release.of(PureDP(0.5, neighbors="add-remove"), unit="person").unit
        'person'
        """
        if isinstance(what, Release):
            return what
        if isinstance(what, Composed):
            part = Part(what.guarantee)
        elif isinstance(what, Guarantee):
            part = Part(what)
        elif isinstance(what, Mechanism):
            part = Part.of(what)
        elif isinstance(what, Part):
            part = what
        else:
            raise InvalidInput("release", what, "a Release, a Guarantee, a Mechanism or a file")
        return cls(
            name=name,
            unit=unit,
            period=None,
            neighbors=part.guarantee.neighbors,
            neighbors_stated=True,
            model=None,
            parts=(part,),
        )

    @property
    def is_assessable(self) -> bool:
        """Whether there is a number to assess."""
        return bool(self.parts)

    @property
    def normalized_unit(self) -> str | None:
        """The unit in one spelling, for comparing like with like."""
        return normalized_unit(self.unit)

    def must_be_unconditional(self) -> Release:
        """The release, if its promises rest on no cipher or generator."""
        if self.computational is not None:
            raise refused("releases.release.conditional", "computational", self.name)
        return self

    def _check_neighbors(self, name: str, part: Part) -> None:
        if part.guarantee.neighbors != self.neighbors:
            key, what = (
                "releases.release.part-neighbors",
                f"the neighbors of {name}",
            )
            raise refused(key, what, part.guarantee.neighbors, neighbors=self.neighbors)


def _no_mechanism(value: Any) -> InvalidInput:
    return InvalidInput("mechanism", value, "a mechanism, such as Laplace(scale=1.0, ...)")


def _written(mechanism: Any) -> dict[str, str]:
    """The parameters of a mechanism, in decimal text."""
    names = [field.name for field in fields(mechanism) if field.name != "neighbors"]
    values = {name: getattr(mechanism, name) for name in names}
    return {
        name: str(value)
        if isinstance(value, int)
        else (rows_text(value) or "" if isinstance(value, tuple) else decimal_text(value))
        for name, value in values.items()
    }


def _listed(name: str, value: Any) -> tuple[Any, ...]:
    if isinstance(value, str):
        raise InvalidInput(name, value, "a list", "Write it as a list with one item.")
    return tuple(value)


Described = Release | Guarantee | Mechanism | Composed | str | os.PathLike[str]
"""Anything that a release can be made of: itself, one promise, what is run, or a file."""
