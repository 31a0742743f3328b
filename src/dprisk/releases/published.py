"""Published deployments of differential privacy, from the table that comes with the package."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, final

from dprisk._files import shipped
from dprisk._values import result
from dprisk.releases.forms import built
from dprisk.releases.loading import Tree, documents
from dprisk.releases.notes import (
    Model,
    Note,
    about_model,
    about_neighbors,
    about_period,
    about_unit,
    conventional,
)
from dprisk.releases.release import Part, Release

TABLE = "deployments.yaml"
NUMBERS = (("rho",), ("epsilon", "delta"))


@final
@result
@dataclass(frozen=True, repr=False)
class Comparison:
    """Releases that speak about the same thing, so that their numbers can be put side by side.

    Parameters
    ----------
    unit : str or None
        Whose data is protected, in one spelling.
    period : str or None
        The time that one release covers.
    model : {"central", "local", "shuffle", "federated", "varies"} or None
        Who adds the noise.
    releases : tuple of Release
        The releases, in the order given.

    Examples
    --------
    >>> from dprisk.releases import comparable, deployments
    >>> group = next(g for g in comparable(deployments()) if g.unit == "event")
    >>> group.model, len(group.releases)
    ('local', 3)
    """

    unit: str | None
    period: str | None
    model: Model | None
    releases: tuple[Release, ...]


@cache
def deployments() -> tuple[Release, ...]:
    """Published deployments that come with numbers, as recorded by a public registry."""
    (rows,) = documents(TABLE, shipped("releases", "data", TABLE))
    return tuple(_release(row) for row in _rows(rows))


def comparable(releases: Iterable[Release]) -> tuple[Comparison, ...]:
    """Group releases so that like stands with like: same unit, same period, same model.

    Parameters
    ----------
    releases : iterable of Release
        What to group.

    Returns
    -------
    tuple of Comparison
        Largest group first. A release of which the unit, the period or the model is not known, or
        whose model varies, stands alone: nothing shows that it is like another.

    Notes
    -----
    Neighbors are not compared: convert with ``guarantee.for_neighbors`` before ranking.

    Examples
    --------
    >>> from dprisk.releases import comparable, deployments
    >>> largest = comparable(deployments())[0]
    >>> largest.unit, largest.period, largest.model
    ('user', 'once', 'central')
    """
    groups: dict[tuple[Any, ...], list[Release]] = {}
    for index, release in enumerate(releases):
        key = (release.normalized_unit, release.period, release.model)
        alone = None in key or release.model == "varies"
        groups.setdefault((*key, index if alone else None), []).append(release)
    found = [
        Comparison(unit, period, model, tuple(group))
        for (unit, period, model, _), group in groups.items()
    ]
    return tuple(sorted(found, key=lambda comparison: -len(comparison.releases)))


def _rows(tree: Tree) -> list[Mapping[str, Any]]:
    return [row for row in tree if isinstance(row, Mapping)] if isinstance(tree, list) else []


def _release(row: Mapping[str, Any]) -> Release:
    """A row of the table as a release; its own remarks come first."""
    model = row["model"]
    neighbors = row.get("neighbors") or conventional(model)
    disputed = row.get("neighbors_disputed") is not None
    also = row.get("stated_also") or {}
    remarks = [Note(kind, text) for note in row.get("notes") or () for kind, text in note.items()]
    stated = "neighbors" in row
    return Release(
        name=row["name"],
        unit=row["unit"],
        period=row["period"],
        neighbors=neighbors,
        neighbors_stated=stated,
        model=model,
        parts=_parts(row, neighbors) if row.get("assessable") != "no" else (),
        stated_also=_parts(also, neighbors),
        curator=row["curator"],
        region=row["region"],
        date=row["date"],
        invariants=tuple(row.get("invariants") or ()),
        source=tuple(row["source"]),
        notes=(
            *remarks,
            *([] if disputed else about_neighbors(stated, model)),
            *about_unit(row["unit"]),
            *about_period(row["period"]),
            *about_model(model),
        ),
    )


def _parts(row: Mapping[str, Any], neighbors: Any) -> tuple[Part, ...]:
    for names in NUMBERS:
        written = {name: row[name] for name in names if name in row}
        if written:
            return (Part(built(written, neighbors, None), given=written),)
    return ()
