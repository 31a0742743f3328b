"""Events of dp_accounting: objects, their repr, JSON of named tuples; accountants and PLDs."""

from __future__ import annotations

import ast
import math
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import partial
from typing import Any, Final, final

import numpy as np

from dprisk.errors import InvalidInput, Meaningless
from dprisk.guarantees import ApproxDPCurve, ZeroConcentratedDP
from dprisk.mechanisms import (
    Gaussian,
    Geometric,
    Laplace,
    RandomizedResponse,
    SubsampledLaplace,
)
from dprisk.releases.notes import Note
from dprisk.releases.release import Part
from dprisk.releases.tools import training
from dprisk.releases.tools.asked import ToolAccount
from dprisk.releases.tools.budgets import counted
from dprisk.releases.tools.found import NOTHING, Found, depth_of, shown
from dprisk.releases.tools.training import TrainingSteps, noise_of, rate_of

TOOL: Final = "dp_accounting"
PACKAGE: Final = "dp_accounting"
DEEP: Final = 60
MOST_EVENTS: Final = 100_000
LONGEST_REPR: Final = 5_000_000
GRID: Final = (0.0, *np.geomspace(1e-3, 50.0, 400).tolist())
SINGLE: Final = "event"


@final
@dataclass(frozen=True)
class Event:
    """An event: its class and what it holds."""

    name: str
    holds: Mapping[str, Any]


@final
@dataclass(frozen=True)
class Leaf:
    """An event that is not made of others, how often, and the rate of a sample around it."""

    event: Event
    count: int
    rate: float | None
    where: str


# --- how an event is found -----------------------------------------------------------------------


def recognizes(found: Found) -> bool:
    """Whether it is an event, what builds or keeps events, or a PLD."""
    if found.text:
        return len(found.text) < LONGEST_REPR and "DpEvent(" in found.text
    what = found.what
    if isinstance(what, Mapping):
        return str(what.get("class_name", "")).endswith("DpEvent")
    name = getattr(what, "class_name", type(what).__name__)  # named tuples hold it
    return str(name).endswith("DpEvent") or _owner(what) == PACKAGE or _is_pld(what)


def _owner(what: Any) -> str:
    return type(what).__module__.partition(".")[0]


def _is_pld(what: Any) -> bool:
    return type(what).__name__ == "PrivacyLossDistribution" and hasattr(
        what, "get_delta_for_epsilon"
    )


def read(found: Found) -> ToolAccount:
    """Read an event, or what keeps one."""
    what, says = found.what, {}
    if _is_pld(what):
        return _from_pld(found)
    relation = getattr(what, "neighboring_relation", getattr(what, "_neighboring_relation", None))
    if relation is not None:
        says = _relation(found, relation)
    for name in ("ledger", "_ledger"):  # an accountant
        what = getattr(what, name, what)
    if type(what).__name__ == "DpEventBuilder":
        what = what.build()
    event = _parsed(found) if found.text else _event(what, found, 0)
    leaves = list(_leaves(event, found, 1, None, SINGLE, 0))
    if not leaves:
        problem = "The event holds nothing that was released."
        raise found.wrong(problem, "Build the event after something was composed.")
    names = {leaf.event.name for leaf in leaves}
    notes = []
    if TREE in names:
        text = (
            "dp_accounting counts a tree only where a record is replaced by a special value that "
            "adds nothing; the sums then move by at most one clipping norm."
        )
        notes.append(Note("warning", text))
    fixed = bool(names & {WITHOUT, WITH})
    if fixed and not says:
        says = {"neighbors": "replace-one"}
    notes += training.about_rates(_trained(leaves, found))
    return ToolAccount(
        tool=TOOL,
        make=partial(_parts, leaves, found),
        says=says,
        needs=("neighbors",),
        lacks=("delta", "tuning"),
        notes=tuple(notes),
    )


def _relation(found: Found, relation: Any) -> dict[str, str]:
    name = str(getattr(relation, "name", relation)).upper()
    known = {"ADD_OR_REMOVE_ONE": "add-remove", "REPLACE_ONE": "replace-one"}
    if name not in known:
        problem = f"dprisk has nothing for the neighbors {name}."
        raise found.wrong(problem, "Give the event alone, and say which neighbors are meant.")
    return {"neighbors": known[name]}


def _parsed(found: Found) -> Event:
    """The event that a repr shows; the text is taken apart, and nothing in it is run."""
    text = found.text.strip()
    name, sign, rest = text.partition("=")
    text = rest.strip() if sign and name.strip().isidentifier() else text
    if text.count("(") > 0 and depth_of(text, "([{", ")]}") > DEEP * 4:
        raise found.wrong("The event is nested too deep.", "Check that this is the right file.")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about text that is odd, and refused below
            tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        fix = "Save repr(event), whole and alone in the file."
        raise found.wrong("This is not the repr of one event.", fix) from None
    return _event(_value(tree, found), found, 0)


def _value(node: ast.AST, found: Found) -> Any:
    if isinstance(node, ast.Constant) and node.value is not Ellipsis:
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _value(node.operand, found)
        return -inner if isinstance(inner, (int, float)) else inner
    if isinstance(node, (ast.List, ast.Tuple)):
        return [_value(each, found) for each in node.elts]
    if isinstance(node, ast.Name) and node.id in ("inf", "nan"):
        return float(node.id)
    if isinstance(node, ast.Call) and all(each.arg for each in node.keywords):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func
        said = name.id if isinstance(name, ast.Name) else str(name)
        if said == "array" and len(node.args) == 1:
            return _value(node.args[0], found)
        if not node.args:
            holds = {str(each.arg): _value(each.value, found) for each in node.keywords}
            return {"class_name": said, **holds}
    fix = "Save repr(event), whole and alone in the file."
    raise found.wrong("This text holds more than an event, or was cut.", fix)


def _event(what: Any, found: Found, depth: int) -> Event:
    """An event in any of its forms; those inside stay as they are."""
    if depth > DEEP:
        raise found.wrong("The event is nested too deep.", "Check that this is the right file.")
    if isinstance(what, Event):
        return what
    if isinstance(what, Mapping) and "class_name" in what:
        holds = {key: what[key] for key in what if key not in ("class_name", "module_name")}
        return Event(str(what["class_name"]), holds)
    named: list[str] = []
    if hasattr(what, "_fields"):
        named = [str(name) for name in what._fields]
    elif hasattr(type(what), "__attrs_attrs__"):
        named = [str(each.name) for each in type(what).__attrs_attrs__]
    elif is_dataclass(what):
        named = [each.name for each in fields(what)]
    holds = {name: getattr(what, name) for name in named}
    name = str(holds.pop("class_name", type(what).__name__))
    holds.pop("module_name", None)
    if not name.endswith("DpEvent"):
        problem = f"An event of dp_accounting is expected; {shown(what)} is there."
        raise found.wrong(problem, "Give the event, or a file with its repr.")
    return Event(name, holds)


# --- what it is made of ---------------------------------------------------------------------------

TREE: Final = "SingleEpochTreeAggregationDpEvent"
WITHOUT: Final = "SampledWithoutReplacementDpEvent"
WITH: Final = "SampledWithReplacementDpEvent"


def _leaves(
    event: Event, found: Found, count: int, rate: float | None, where: str, depth: int
) -> Iterator[Leaf]:
    """The events that are not made of others; those that are sampled keep their rate."""
    holds = event.holds
    inside = partial(_event, found=found, depth=depth + 1)
    if event.name == "NoOpDpEvent":
        return
    if event.name == "SelfComposedDpEvent":
        times = found.count(holds.get("count"), f"{where}, count") * count
        inner = inside(holds.get("event"))
        found.count(times, f"{where}, count in all")
        yield from _leaves(inner, found, times, rate, f"{where}.event", depth + 1)
    elif event.name == "ComposedDpEvent":
        events = holds.get("events")
        if not isinstance(events, (list, tuple)) or len(events) > MOST_EVENTS:
            problem = f"{where} must hold a list of events, {MOST_EVENTS} at most."
            raise found.wrong(problem, "Merge events that are alike.", where)
        for index, each in enumerate(events):
            place = f"{where}.events[{index}]"
            yield from _leaves(inside(each), found, count, rate, place, depth + 1)
    elif event.name == "PoissonSampledDpEvent":
        if rate is not None:
            problem = f"{where} takes a sample of a sample, which dprisk cannot read."
            raise found.wrong(problem, "Multiply the rates, if both samples are drawn anew.")
        share = rate_of(found, holds.get("sampling_probability"), f"{where}, sampling probability")
        within = list(_leaves(inside(holds.get("event")), found, 1, None, where, depth + 1))
        yield Leaf(_one_noise(within, found, where), count, share, where)
    else:
        yield Leaf(event, count, rate, where)


def _one_noise(leaves: list[Leaf], found: Found, where: str) -> Event:
    """One event for what is done with one sample: several Gaussians are one with less noise."""
    if len(leaves) == 1 and leaves[0].count == 1 and leaves[0].rate is None:
        return leaves[0].event
    if not leaves or any(
        leaf.event.name != "GaussianDpEvent" or leaf.rate is not None for leaf in leaves
    ):
        problem = f"{where} does several things with one sample, which dprisk cannot read."
        raise found.wrong(problem, "Describe it by one noise multiplier.", where)
    inverse = [
        leaf.count / noise_of(found, leaf.event.holds.get("noise_multiplier"), leaf.where) ** 2
        for leaf in leaves
    ]
    sigma = 1.0 / math.sqrt(math.fsum(inverse))
    return Event("GaussianDpEvent", {"noise_multiplier": sigma * (1.0 - 1e-15)})


# --- parts ----------------------------------------------------------------------------------------


def _trained(leaves: list[Leaf], found: Found) -> list[TrainingSteps]:
    return [
        TrainingSteps(noise_of(found, _noise(leaf), leaf.where), leaf.rate, leaf.count)
        for leaf in leaves
        if leaf.rate is not None and leaf.event.name == "GaussianDpEvent"
    ]


def _noise(leaf: Leaf) -> Any:
    return leaf.event.holds.get("noise_multiplier")


def _parts(leaves: list[Leaf], found: Found, known: Mapping[str, Any]) -> tuple[Part, ...]:
    made: list[Part] = []
    if sampled := _trained(leaves, found):
        made += training.parts(sampled, {**known, "sampling": "poisson"})
    for leaf in leaves:
        if leaf.rate is None or leaf.event.name != "GaussianDpEvent":
            made += _part(leaf, found, known)
    return counted((part.mechanism or part.guarantee, part.count) for part in made)


def _part(leaf: Leaf, found: Found, known: Mapping[str, Any]) -> list[Part]:
    if leaf.rate is not None:
        return [_sampled(leaf, found, known)]
    make = MADE.get(leaf.event.name)
    if make is None:
        problem = f"{leaf.where} is a {leaf.event.name[:60]}, and dprisk has no mechanism for it."
        if leaf.event.name in ("NonPrivateDpEvent", "UnsupportedDpEvent"):
            problem = f"{leaf.where} is a {leaf.event.name}, for which nothing is promised."
        raise found.wrong(problem, "Describe what was run in a release file.", leaf.where)
    return make(leaf, found, known)


def _sampled(leaf: Leaf, found: Found, known: Mapping[str, Any]) -> Part:
    rate: Any = leaf.rate
    if leaf.event.name != "LaplaceDpEvent":
        problem = f"{leaf.where} samples a {leaf.event.name[:60]}; dprisk has no mechanism for it."
        raise found.wrong(problem, "Describe what was run in a release file.", leaf.where)
    if known["neighbors"] != "add-remove":
        raise Meaningless(
            "Poisson sampling of Laplace noise is known for add-remove neighbors only.",
            "Ask about neighbors=add-remove.",
        )
    scale = noise_of(found, _noise(leaf), f"{leaf.where}, noise multiplier")
    return Part.of(SubsampledLaplace(scale, 1.0, rate, neighbors="add-remove"), leaf.count)


def _noisy(
    noise: type[Gaussian | Laplace], leaf: Leaf, found: Found, known: Mapping[str, Any]
) -> list[Part]:
    scale = noise_of(found, _noise(leaf), f"{leaf.where}, noise multiplier")
    moved = training.distance(known)
    return [Part.of(noise(scale, moved, neighbors=known["neighbors"]), leaf.count)]


def _discrete_laplace(leaf: Leaf, found: Found, known: Mapping[str, Any]) -> list[Part]:
    inverse = found.number(leaf.event.holds.get("noise_parameter"), f"{leaf.where}, noise")
    moved = found.count(leaf.event.holds.get("sensitivity", 1), f"{leaf.where}, sensitivity")
    scale = math.nextafter(1.0 / inverse, 0.0)
    return [Part.of(Geometric(scale, moved, neighbors=known["neighbors"]), leaf.count)]


def _concentrated(leaf: Leaf, found: Found, known: Mapping[str, Any]) -> list[Part]:
    rho = found.number(leaf.event.holds.get("rho"), f"{leaf.where}, rho")
    xi = leaf.event.holds.get("xi", 0.0)
    shift = found.number(xi, f"{leaf.where}, xi") if xi not in (0, 0.0, "0.0") else 0.0
    return [Part(ZeroConcentratedDP(rho, xi=shift, neighbors=known["neighbors"]), leaf.count)]


def _response(leaf: Leaf, found: Found, known: Mapping[str, Any]) -> list[Part]:
    """Randomized response: a bucket drawn from all with probability p, otherwise the true one."""
    if known["neighbors"] != "replace-one":
        raise Meaningless(
            "Randomized response exchanges one answer for another, which is replace-one.",
            "Ask about neighbors=replace-one.",
        )
    p = found.number(leaf.event.holds.get("noise_parameter"), f"{leaf.where}, noise", most=1.0)
    k = found.count(leaf.event.holds.get("num_buckets"), f"{leaf.where}, buckets", least=2)
    epsilon = math.log1p((1.0 - p) * k / p) * (1.0 + 1e-15)  # four roundings
    made = RandomizedResponse(epsilon, categories=k, neighbors="replace-one")
    return [Part.of(made, leaf.count)]


def _tree(leaf: Leaf, found: Found, known: Mapping[str, Any]) -> list[Part]:
    """Sums of a binary tree: a record in one leaf is in one node of each level above it."""
    sigma = noise_of(found, _noise(leaf), f"{leaf.where}, noise multiplier")
    counts = leaf.event.holds.get("step_counts")
    listed = counts if isinstance(counts, (list, tuple)) else [counts]
    steps = [found.count(each, f"{leaf.where}, step counts") for each in listed]
    if not steps:
        raise found.wrong(f"{leaf.where} has no steps.", "Save the event again.", leaf.where)
    levels = max(steps).bit_length()
    root = math.sqrt(levels)
    moved = root if root * root == levels else math.nextafter(root, math.inf)
    reach = moved * training.distance(known)
    return [Part.of(Gaussian(sigma, reach, neighbors=known["neighbors"]), leaf.count)]


def _without(leaf: Leaf, found: Found, known: Mapping[str, Any]) -> list[Part]:
    holds = leaf.event.holds
    size = found.count(holds.get("source_dataset_size"), f"{leaf.where}, source dataset size")
    batch = found.count(holds.get("sample_size"), f"{leaf.where}, sample size")
    inner = list(_leaves(_event(holds.get("event"), found, 0), found, 1, None, leaf.where, 0))
    event = _one_noise(inner, found, leaf.where)
    if event.name != "GaussianDpEvent":
        problem = f"{leaf.where} samples a {event.name[:60]}; dprisk has no mechanism for it."
        raise found.wrong(problem, "Describe what was run in a release file.", leaf.where)
    rate = rate_of(found, batch / size, f"{leaf.where}, sample size over dataset size")
    sigma = noise_of(found, event.holds.get("noise_multiplier"), f"{leaf.where}, noise multiplier")
    said = {**known, "sampling": "without-replacement", "batch_size": batch, "examples": size}
    return list(training.parts([TrainingSteps(sigma, rate, leaf.count)], said))


def _truncated(leaf: Leaf, found: Found, known: Mapping[str, Any]) -> list[Part]:
    holds = leaf.event.holds
    share = holds.get("sampling_probability")
    rate = rate_of(found, share, f"{leaf.where}, sampling probability")
    sigma = noise_of(found, _noise(leaf), f"{leaf.where}, noise multiplier")
    cap = found.count(holds.get("truncated_batch_size"), f"{leaf.where}, truncated batch size")
    size = found.count(holds.get("dataset_size"), f"{leaf.where}, dataset size")
    said = training.capped({**known, "sampling": "poisson", "examples": size}, cap)
    return list(training.parts([TrainingSteps(sigma, rate, leaf.count)], said))


def _mixture(leaf: Leaf, found: Found, known: Mapping[str, Any]) -> list[Part]:
    """Normal noise around one of several values; of two, one being 0, it is a Poisson sample."""
    holds = leaf.event.holds
    sigma = noise_of(found, holds.get("standard_deviation"), f"{leaf.where}, deviation")
    moves = list(np.ravel(np.asarray(holds.get("sensitivities", ()), dtype=float)))
    chances = list(np.ravel(np.asarray(holds.get("sampling_probs", ()), dtype=float)))
    rate = dict(zip(moves, chances, strict=False))
    if len(moves) != 2 or len(chances) != 2 or len(rate) != 2 or 0.0 not in rate or min(moves) < 0:
        problem = f"{leaf.where} is a mixture of several Gaussians; dprisk has no mechanism for it."
        raise found.wrong(problem, "Describe what was run in a release file.", leaf.where)
    reach = max(moves)
    steps = TrainingSteps(sigma / reach, rate_of(found, rate[reach], leaf.where), leaf.count)
    return list(training.parts([steps], {**known, "sampling": "poisson"}))


MADE: Final[Mapping[str, Callable[[Leaf, Found, Mapping[str, Any]], list[Part]]]] = {
    "GaussianDpEvent": partial(_noisy, Gaussian),
    "LaplaceDpEvent": partial(_noisy, Laplace),
    "DiscreteLaplaceDpEvent": _discrete_laplace,
    "ZCDpEvent": _concentrated,
    "RandomizedResponseDpEvent": _response,
    "MixtureOfGaussiansDpEvent": _mixture,
    "TruncatedSubsampledGaussianDpEvent": _truncated,
    TREE: _tree,
    WITHOUT: _without,
}


# --- privacy loss distributions -------------------------------------------------------------------


def _from_pld(found: Found) -> ToolAccount:
    """A privacy loss distribution by its own profile, as the tool computed it."""
    profile = found.what.get_delta_for_epsilon
    deltas = [min(1.0, max(0.0, float(profile(epsilon)))) for epsilon in GRID]
    if not all(map(math.isfinite, deltas)) or min(deltas) >= 1.0:
        problem = "This privacy loss distribution promises nothing."
        raise found.wrong(problem, "Compose something with noise.")

    def make(known: Mapping[str, Any]) -> tuple[Part, ...]:
        try:
            curve = ApproxDPCurve(GRID, deltas, neighbors=known["neighbors"])
        except InvalidInput as error:
            fix = "Compute the distribution again."
            raise found.wrong(f"The profile cannot be true: {error}", fix) from None
        return (Part(curve),)

    text = (
        "The profile is that of the tool, at a grid of its own; for very small δ the tool can "
        "state less than is true."
    )
    return ToolAccount(
        tool=TOOL,
        make=make,
        says=NOTHING,
        needs=("neighbors",),
        lacks=("delta", "tuning"),
        notes=(Note("warning", text),),
    )
