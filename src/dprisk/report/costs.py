"""The budget, and what it costs: how far off the published numbers are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from dprisk.errors import DpriskError
from dprisk.explain.rounding import at_most
from dprisk.report.blocks import Block, Section, TableBlock, Text
from dprisk.report.words import named, share
from dprisk.text import fill

if TYPE_CHECKING:
    from dprisk.budget.noise import NoiseCost
    from dprisk.guarantees.base import Guarantee
    from dprisk.mechanisms.base import Mechanism
    from dprisk.releases.release import Part
    from dprisk.report.document import Report


COVERAGE = 0.95
ENOUGH = {"concentrated": ("geometric", "laplace"), "gaussian": ("laplace",)}
"""Noise that is read as pure DP under another definition: enough, but not the least."""
SHOWN = 12  # promises for which an example is given


def priced(report: Report) -> Section | None:
    """Noise beside the promise: what is known, and an example where only the promise is."""
    if not report.assessments[0].statements:
        return None
    parts = [(n, p) for n, p in enumerate(report.release.parts, 1) if not _is_training(p)]
    several = len(report.release.parts) > 1
    local = ".local" if report.release.model == "local" else ""
    run = [(named(p, n, several), p) for n, p in parts if p.mechanism is not None]
    rest = [(named(p, n, several), p) for n, p in parts if p.mechanism is None]
    blocks: list[Block] = []
    if run:
        rows = tuple(_known(name, part) for name, part in run)
        columns = (fill("report.release.part"), fill("report.costs.deviation"), *_columns(local))
        blocks.append(TableBlock(fill(f"report.costs.known{local}"), columns, rows))
        blocks += _explained([part.mechanism for _, part in run], rows)
    if rest and report.release.model == "shuffle":
        blocks.append(Text(fill("report.costs.shuffle")))
    elif rest:
        blocks += _examples(rest, len(rest) == len(parts), local, _noise_named(report))
    if not blocks:
        return None
    alone = ".shuffle" if report.release.model == "shuffle" and not run else local
    lead = fill(f"report.costs.lead{alone}")
    return Section(fill("report.title.costs"), (Text(lead), *blocks))


def _is_training(part: Part) -> bool:
    """Many results from samples, each with noise: a model that is trained."""
    from dprisk.mechanisms import SubsampledGaussian, SubsampledLaplace

    return isinstance(part.mechanism, SubsampledGaussian | SubsampledLaplace) and part.count > 1


def _columns(local: str) -> tuple[str, ...]:
    return fill("report.costs.off"), fill(f"report.costs.exact{local}")


def _explained(run: Iterable[Mechanism | None], rows: Iterable[tuple[str, ...]]) -> list[Block]:
    """What the table leaves out."""
    lines = []
    if any(each is not None and _noise_of(each) is not each for each in run):
        lines.append(fill("report.costs.sampled"))
    if any(fill("report.costs.unknown") in row for row in rows):
        lines.append(fill("report.costs.unknown.why"))
    return [Text(" ".join(lines))] if lines else []


def _known(name: str, part: Part) -> tuple[str, ...]:
    from dprisk.budget.noise import noise_cost

    mechanism = part.mechanism
    if mechanism is None or mechanism.noise_sd is None:
        return (name, fill("report.costs.no-noise"), "", _exact(part))
    try:
        off = _digits(noise_cost(_noise_of(mechanism), COVERAGE).off_by)
    except DpriskError:
        off = fill("report.costs.unknown")
    return (name, _digits(mechanism.noise_sd), off, _exact(part))


def _noise_of(mechanism: Mechanism) -> Mechanism:
    """The noise that is added to results from a sample, by itself."""
    from dprisk.mechanisms import Gaussian, Laplace, SubsampledGaussian, SubsampledLaplace

    if isinstance(mechanism, SubsampledGaussian):
        return Gaussian(mechanism.sigma, mechanism.sensitivity, neighbors=mechanism.neighbors)
    if isinstance(mechanism, SubsampledLaplace):
        return Laplace(mechanism.scale, mechanism.sensitivity, neighbors=mechanism.neighbors)
    return mechanism


def _exact(part: Part) -> str:
    chance = None if part.mechanism is None else part.mechanism.exact_probability
    return fill("report.costs.unknown") if chance is None else _certain(chance)


def _certain(chance: float) -> str:
    """How likely a number is published as it is; continuous noise is never 0."""
    return share(chance, certain=True) if chance else fill("report.costs.continuous")


def _digits(value: float) -> str:
    return at_most(value, 4)


def _noise_named(report: Report) -> str:
    """The noise that the table of queries names, where the release names none."""
    noises = {each.exposure.allocation.noise for each in report.concerns} - {None}
    return fill(f"mechanism.{noises.pop()}") if noises else ""


def _examples(rest: list[tuple[str, Part]], alone: bool, local: str, noise: str) -> list[Block]:
    """For a count that one record changes by one: how little noise keeps the promise."""
    from dprisk.budget import noise_for

    alike: dict[Guarantee, list[tuple[str, Part]]] = {}
    for name, part in rest:
        alike.setdefault(part.guarantee, []).append((name, part))
    rows = []
    for group in list(alike.values())[:SHOWN]:
        name = (
            group[0][0]
            if len(group) == 1
            else fill("report.costs.each", number=len(group), promise=_promise(group))
        )
        try:
            costs = noise_for(group[0][1].guarantee, coverage=COVERAGE)
        except DpriskError:
            costs = ()
        rows += [_example(name, cost) for cost in costs]
    if not rows:
        return [Text(fill("report.costs.named" if noise else "report.costs.silent", noise=noise))]
    some = fill("report.costs.some", number=SHOWN) if len(alike) > SHOWN else ""
    key = ".named" if noise else ".some" if len(rest) > 1 else "" if alone else ".one"
    example = fill(f"report.costs.take{local}")
    table = _how_little(alike)
    words = {"example": example, "table": table, "some": some, "noise": noise}
    said = fill(f"report.costs.lead-example{key}", **words)
    columns = (
        fill("report.release.part"),
        fill("report.costs.noise"),
        fill("report.costs.sd"),
        *_columns(local),
    )
    return [Text(said), TableBlock(fill("report.costs.example"), columns, tuple(rows))]


def _how_little(promises: Iterable[Guarantee]) -> str:
    """Whether no less noise of each kind keeps the promise, as far as is known."""
    loose = {
        each.definition: ENOUGH[each.definition] for each in promises if each.definition in ENOUGH
    }
    if not loose:
        return fill("report.costs.least")
    kinds = dict.fromkeys(kind for kinds in loose.values() for kind in kinds)
    names = fill("or").join(fill(f"report.noise.{kind}") for kind in kinds)
    return fill("report.costs.enough", kinds=names)


def _promise(group: list[tuple[str, Part]]) -> str:
    from dprisk.explain.promises import part_in_words

    return part_in_words(replace(group[0][1], label="", count=1))


def _example(name: str, cost: NoiseCost) -> tuple[str, ...]:
    return (
        name,
        fill(f"report.noise.{cost.kind}"),
        _digits(cost.standard_deviation),
        _digits(cost.off_by),
        _certain(cost.exact_probability),
    )
