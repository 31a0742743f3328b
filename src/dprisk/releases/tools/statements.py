"""Statements in words: those of TensorFlow Privacy, and the report of PipelineDP."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from dprisk.guarantees.base import Guarantee
from dprisk.mechanisms import Gaussian, Laplace
from dprisk.mechanisms.base import Mechanism
from dprisk.releases.notes import Note
from dprisk.releases.release import Part
from dprisk.releases.tools import training
from dprisk.releases.tools.asked import Said, ToolAccount
from dprisk.releases.tools.budgets import counted, promise
from dprisk.releases.tools.found import NOTHING, Found, as_number
from dprisk.releases.tools.training import EXAMPLE, TrainingSteps, noise_of, rate_of

NUMBER: Final = r"[-+]?(?:\d[\d,]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|inf"
PERFORMED: Final = re.compile(
    rf"DP-SGD performed over ({NUMBER}) examples with ({NUMBER}) examples per iteration, noise "
    rf"multiplier ({NUMBER}) for ({NUMBER}) epochs? (with|without) microbatching"
)
PER_USER: Final = re.compile(rf"at most ({NUMBER}) examples? per user")
BLOCK: Final = re.compile(
    rf"(Example|User)-level DP (?:with (\S+) adjacency )?at delta = ({NUMBER}) computed (.*?):"
)
CYCLED: Final = re.compile(rf"each example occurring once per epoch:\s*({NUMBER})")
SAMPLED: Final = re.compile(rf"assuming Poisson sampling \(\*\):\s*({NUMBER})")
ADJACENCY: Final = {
    "add-or-remove-one": "add-remove",
    "add-or-remove": "add-remove",
    "replace-one": "replace-one",
}
STEP: Final = re.compile(
    rf"(Gaussian|Laplace) mechanism:\s+parameter=({NUMBER})\s+eps=({NUMBER})"
    rf"(?:\s+delta=({NUMBER}))?\s+l([12])_sensitivity=({NUMBER})"
)
SELECTED: Final = re.compile(rf"\(epsilon=({NUMBER}),\s*delta=(?:delta=)?({NUMBER})")
SELECTION: Final = re.compile(r"Private Partition selection: using")
COMPUTED: Final = re.compile(r"^ *\d+\. Computed", re.MULTILINE)
LONGEST: Final = 2_000_000


def recognizes(found: Found) -> bool:
    """Whether it is the statement of TensorFlow Privacy or the report of PipelineDP."""
    text = found.text[:LONGEST]
    return "DP-SGD performed over" in " ".join(text.split()) or "DPEngine method" in text


def read(found: Found) -> ToolAccount:
    """Read a statement."""
    if len(found.text) > LONGEST:
        raise found.wrong("The statement is too long.", "Save one statement alone.")
    return _pipeline(found) if "DPEngine method" in found.text else _tensorflow(found)


# --- TensorFlow Privacy ---------------------------------------------------------------------------


def _tensorflow(found: Found) -> ToolAccount:
    text = " ".join(found.text.split())
    matched = PERFORMED.findall(text)
    if len(matched) != 1:
        problem = f"There are {len(matched)} statements of TensorFlow Privacy that can be read."
        raise found.wrong(problem, "Save one statement, whole and alone in the file.")
    examples, batch, noise, epochs, micro = matched[0]
    size = found.count(_plain(examples), "examples")
    per_batch = found.count(_plain(batch), "examples per iteration")
    if per_batch > size:
        problem = f"A batch of {per_batch} is larger than the data of {size}."
        raise found.wrong(problem, "Correct the one that is wrong.")
    sigma = noise_of(found, _plain(noise), "noise multiplier")
    passes = found.number(_plain(epochs), "epochs", most=1e9)
    said, relations = _stated(found, text)
    if len(relations) > 1:
        raise found.wrong("The statement names two relations.", "Save one statement alone.")
    notes = []
    if micro == "with":
        sigma /= 2.0
        halved = (
            "With microbatching, TensorFlow Privacy halves the noise multiplier without saying so: "
            f"{sigma:g} counts here. If each microbatch is one example, make the statement with "
            "used_microbatching=False."
        )
        notes.append(Note("warning", halved))
    if limit := PER_USER.search(text):
        more = f"The numbers are about one example; a user has up to {limit[1]}."
        notes.append(Note("warning", more))
    says: dict[str, Any] = {"examples": size}
    deltas = {each.delta for each in said}
    for name, stated in (("neighbors", relations), ("delta", deltas)):
        if len(stated) == 1:
            says[name] = next(iter(stated))
    rate = rate_of(found, per_batch / size, "examples per iteration over examples")

    def make(known: Mapping[str, Any]) -> tuple[Part, ...]:
        once = known["sampling"] == "shuffled"
        count = math.ceil(passes) if once else math.ceil(passes * size / per_batch)
        return training.parts([TrainingSteps(sigma, 1.0 if once else rate, count)], known)

    return ToolAccount(
        tool="TensorFlow Privacy",
        make=make,
        says=says,
        needs=("sampling", "neighbors"),
        lacks=("clipping_norm", "tuning", "delta"),
        said=said,
        notes=tuple(notes),
        unit=EXAMPLE,
    )


def _plain(text: str) -> str:
    return text.replace(",", "")


def _stated(found: Found, text: str) -> tuple[tuple[Said, ...], set[str]]:
    """The ε of the statement, each with what it assumes; and the relations it names."""
    said, relations = [], set()
    blocks = list(BLOCK.finditer(text))
    for i, block in enumerate(blocks):
        end = blocks[i + 1].start() if i + 1 < len(blocks) else len(text)
        inside = text[block.end() : end]
        if block[2]:
            if block[2] not in ADJACENCY:
                problem = f"dprisk does not know the adjacency {block[2][:40]!r}."
                raise found.wrong(problem, "Describe the run in a release file.")
            relations.add(ADJACENCY[block[2]])
        delta = found.number(_plain(block[3]), "delta", most=1.0)
        level = block[1].lower()
        for pattern, about in ((CYCLED, "each example once per epoch"), (SAMPLED, "Poisson")):
            if number := pattern.search(inside):
                epsilon = as_number(_plain(number[1]))
                if epsilon is not None:
                    said.append(Said(epsilon, delta, about=f"{level} level, {about}"))
    return tuple(said), relations


# --- PipelineDP -----------------------------------------------------------------------------------


def _pipeline(found: Found) -> ToolAccount:
    """The report on a computation: noise by its parameter, selection by its promise."""
    text = found.text
    noises = STEP.findall(text)
    chosen = _selections(found, text)
    computed = len(COMPUTED.findall(text))
    if not noises and not chosen:
        problem = "The report has no mechanism with its numbers yet."
        raise found.wrong(problem, "Print the report after compute_budgets().")
    if text.count("mechanism:") != len(noises) or len(noises) < computed:
        problem = f"Only {len(noises)} mechanisms of the report can be read."
        raise found.wrong(problem, "Describe what was run in a release file.")
    return ToolAccount(
        tool="PipelineDP",
        make=partial(_reported, found, noises, chosen),
        says=NOTHING,
        needs=("neighbors",),
        lacks=("examples", "tuning"),
        unit="user",
    )


def _selections(found: Found, text: str) -> list[tuple[float, float]]:
    made = []
    for start in SELECTION.finditer(text):
        matched = SELECTED.search(text, start.end(), start.end() + 300)
        if matched is None:
            problem = "The ε and δ of a partition selection cannot be read."
            raise found.wrong(problem, "Print the report after compute_budgets().")
        epsilon = found.number(matched[1], "partition selection, epsilon")
        made.append((epsilon, found.number(matched[2], "partition selection, delta", most=1.0)))
    return made


def _reported(
    found: Found,
    noises: list[tuple[str, ...]],
    chosen: list[tuple[float, float]],
    known: Mapping[str, Any],
) -> tuple[Part, ...]:
    neighbors = known["neighbors"]
    made: list[Mechanism | Guarantee] = []
    for index, (kind, parameter, _, _, norm, moved) in enumerate(noises):
        place = f"mechanism {index + 1}"
        width = noise_of(found, parameter, f"{place}, parameter")
        reach = found.number(moved, f"{place}, sensitivity")
        if (kind == "Gaussian") != (norm == "2"):
            problem = f"{place} has {kind} noise for an L{norm} sensitivity."
            raise found.wrong(problem, "Correct the one that is wrong.", place)
        noise = Gaussian if kind == "Gaussian" else Laplace
        made.append(noise(width, reach, neighbors=neighbors))
    made += [promise(epsilon, delta, neighbors) for epsilon, delta in chosen]
    return counted((each, 1) for each in made)
