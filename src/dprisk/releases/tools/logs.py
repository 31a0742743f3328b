"""Logs of training runs and model cards: CSV, JSON, YAML, and the front matter of Markdown."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from dprisk.guarantees.base import NEIGHBORS as RELATIONS
from dprisk.releases.loading import documents
from dprisk.releases.notes import Note
from dprisk.releases.release import Part
from dprisk.releases.spelling import NEIGHBORS, meant
from dprisk.releases.tools.asked import Said, ToolAccount
from dprisk.releases.tools.found import Found, as_number, shown
from dprisk.releases.tools.training import (
    EXAMPLE,
    TrainingSteps,
    about_rates,
    noise_of,
    parts,
    rate_of,
)

WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "noise_multiplier": ("dp_noise_multiplier", "noise_mult", "sigma", "noise"),
    "sample_rate": ("sampling_rate", "sampling_probability", "sampling_ratio", "q"),
    "batch_size": (
        *("expected_batch_size", "logical_batch_size", "lot_size", "train_batch_size"),
        *("total_train_batch_size", "effective_batch_size", "global_batch_size"),
    ),
    "per_device": ("per_device_train_batch_size", "per_device_batch_size", "micro_batch_size"),
    "accumulation": ("gradient_accumulation_steps", "accumulation_steps", "grad_accum_steps"),
    "devices": ("num_devices", "n_gpu", "num_gpus", "world_size", "n_devices"),
    "examples": (
        *("train_dataset_size", "dataset_size", "train_size", "num_examples", "num_samples"),
        *("n_train", "num_train_examples", "sample_size"),
    ),
    "epochs": ("num_train_epochs", "num_epochs", "n_epochs"),
    "steps": ("num_steps", "train_steps", "max_steps", "total_steps", "num_train_steps"),
    "epsilon": ("eps", "privacy_epsilon", "epsilon_spent", "dp_epsilon", "spent_epsilon"),
    "target_epsilon": ("epsilon_target", "per_sample_epsilon"),
    "delta": ("target_delta", "dp_delta", "privacy_delta"),
    "unit": ("privacy_unit", "unit_of_privacy"),
    "sampling": ("sampling_method", "sampling_scheme"),
    "neighbors": ("neighboring_relation", "neighbours", "adjacency"),
    "library": ("dp_library", "tool", "framework"),
}
"""The keys that people use, by the name of each here."""
OF: Final = {other: name for name, others in WORDS.items() for other in (name, *others)}
STEP: Final = ("step", "steps", "global_step", "iteration", "iter", "round", "num_steps", "t")
EPOCH: Final = ("epoch", "epochs")
SURE: Final = frozenset({"noise_multiplier", "target_epsilon"})
PRIVACY: Final = frozenset({"epsilon", "delta", "sample_rate", "clipping_norm", "max_grad_norm"})
CARD_DEPTH: Final = 4
FRONT: Final = re.compile(r"\A---\s*\n(.*?)\n---\s*(?:\n|\Z)", re.DOTALL)
THOUSANDS: Final = {"k": 10**3, "m": 10**6, "b": 10**9}
SAMPLED: Final = {"poisson": "poisson", "poisson-sampling": "poisson", "full-batch": "full-batch"}
LACKS: Final = ("tuning", "delta")


def recognizes(found: Found) -> bool:
    """Whether it is a log of steps with noise, or a card with the keys of DP-SGD."""
    if _logged(found.what):
        return True
    return _card(_tree(found)) is not None


def read(found: Found) -> ToolAccount:
    """Read a log or a card."""
    if rows := _logged(found.what):
        return _from_rows(found, rows)
    card = _card(_tree(found))
    if card is None:
        raise found.wrong("There are no keys of DP-SGD in it.", "Write a release file.")
    return _from_card(found, card)


def _tree(found: Found) -> Any:
    """Keys and values: of the file, or of the front matter of Markdown."""
    if not found.text:
        return found.what
    front = FRONT.match(found.text.replace("\r\n", "\n"))
    if front is None:
        return None
    trees = documents(f"{found.name}.yaml", front[1])
    return trees[0]


def _named(tree: Mapping[Any, Any]) -> dict[str, Any]:
    """Values by the name of their key, whatever its spelling; those that are empty are left out."""
    made: dict[str, Any] = {}
    for key, value in tree.items():
        name = OF.get(re.sub(r"[\s-]+", "_", str(key).strip().lower()))
        if name is not None and value not in (None, "", "null", "None"):
            made.setdefault(name, value)
    return made


def _card(tree: Any, depth: int = 0) -> Mapping[Any, Any] | None:
    """The mapping that holds keys of DP-SGD, wherever it stands."""
    if not isinstance(tree, Mapping) or depth > CARD_DEPTH or "dprisk" in tree:
        return None
    keys = {OF.get(re.sub(r"[\s-]+", "_", str(key).strip().lower()), str(key)) for key in tree}
    private = keys & PRIVACY
    if keys & SURE or len(private) > 1 or (private and keys & {"examples", "epochs"}):
        plain = not any(isinstance(tree.get(key), list | Mapping) for key in tree if key in OF)
        return tree if plain and "guarantees" not in tree else None
    inside = (_card(value, depth + 1) for value in list(tree.values())[:500])
    return next((each for each in inside if each is not None), None)


def _count(found: Found, value: Any, where: str) -> int:
    """A whole number, also with a letter for thousands or millions."""
    text = str(value).strip().lower().replace(",", "").replace("_", "")
    if text[-1:] in THOUSANDS and as_number(text[:-1]) is not None:
        value = (as_number(text[:-1]) or 0.0) * THOUSANDS[text[-1]]
    elif as_number(text) is not None:
        value = text
    return found.count(value, where)


# --- model cards ----------------------------------------------------------------------------------


def _from_card(found: Found, card: Mapping[Any, Any]) -> ToolAccount:
    named = _named(card)
    says = _said_of_card(found, named)
    said = _claims(found, named)
    notes: list[Note] = []
    needs = ["sampling", "neighbors", "noise_multiplier"]
    if "target_epsilon" in named:
        text = "target_epsilon is what the noise was chosen for, not what was reached."
        notes.append(Note("warning", text))
    if "sample_rate" not in named:
        needs += ["batch_size", "examples"]
        if "per_device" in named and "batch_size" not in named:
            needs[-2] = "devices"
    if "steps" not in says:
        needs += ["epochs"]
    tool = str(named.get("library", "The file"))[:40]
    unit = named.get("unit")
    return ToolAccount(
        tool="The model card" if tool == "The file" else f"The model card ({tool})",
        make=partial(_run, found, named),
        says=says,
        needs=tuple(dict.fromkeys(needs)),
        lacks=LACKS,
        said=said,
        notes=tuple(notes),
        unit=str(unit)[:100] if isinstance(unit, str) and unit.strip() else EXAMPLE,
        takes=("steps", "devices"),
    )


def _said_of_card(found: Found, named: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers of a card by name, checked."""
    says: dict[str, Any] = {}
    if "noise_multiplier" in named:
        says["noise_multiplier"] = noise_of(found, named["noise_multiplier"], "noise_multiplier")
    for name in ("batch_size", "examples", "devices"):
        if name in named:
            says[name] = _count(found, named[name], name)
    if "steps" in named and (as_number(named["steps"]) or 0.0) != -1.0:  # -1: not set
        says["steps"] = _count(found, named["steps"], "steps")
    if "epochs" in named:
        says["epochs"] = found.number(named["epochs"], "epochs", most=1e9)
    if "delta" in named:
        says["delta"] = found.number(named["delta"], "delta", most=1.0)
    word = re.sub(r"[\s_]+", "-", str(named.get("sampling", "")).strip().lower())
    if word in SAMPLED:
        says["sampling"] = SAMPLED[word]
    relation = meant(NEIGHBORS, named.get("neighbors"))
    relation = {"add-or-remove-one": "add-remove"}.get(str(relation), relation)
    if relation in RELATIONS:
        says["neighbors"] = relation
    return says


def _claims(found: Found, named: Mapping[str, Any]) -> tuple[Said, ...]:
    made = []
    delta = as_number(named.get("delta"))
    for name, reached in (("epsilon", "spent"), ("target_epsilon", "target")):
        epsilon = as_number(named.get(name))
        if epsilon is not None and epsilon >= 0.0:
            made.append(Said(epsilon, delta, reached, "model card"))  # type: ignore[arg-type]
    return tuple(made)


def _run(found: Found, named: Mapping[str, Any], known: Mapping[str, Any]) -> tuple[Part, ...]:
    """The steps of a card: its rate and its number of steps follow from the sizes."""
    sigma = known["noise_multiplier"]
    size, batch = known.get("examples"), _batch(found, named, known)
    if batch is not None and size is not None:
        if batch > size:
            problem = f"A batch of {batch} is larger than the data of {size}."
            raise found.wrong(problem, "Correct the one that is wrong.")
        rate = batch / size
        if "sample_rate" in named:
            told = rate_of(found, named["sample_rate"], "sample_rate")
            open_ = "per_device" in named and "devices" not in known
            if abs(told - rate) > 0.01 * rate and not (open_ and told > rate):
                problem = f"sample_rate is {told:g}, and the sizes make {rate:g}."
                raise found.wrong(problem, "Leave out the one that is wrong.", "sample_rate")
            rate = max(rate, told)
    else:
        rate = rate_of(found, named.get("sample_rate"), "sample_rate")
    if "steps" in known:
        steps = known["steps"]
    elif batch is not None and size is not None:
        steps = math.ceil(known["epochs"] * math.ceil(size / batch))
    else:
        steps = math.ceil(known["epochs"] / rate)
    return parts([TrainingSteps(sigma, rate, max(1, steps))], known)


def _batch(found: Found, named: Mapping[str, Any], known: Mapping[str, Any]) -> int | None:
    """The examples in one step: those of all devices, over all steps that are accumulated."""
    if "per_device" not in named:
        return known.get("batch_size")
    pieces = _count(found, named.get("accumulation", 1), "gradient_accumulation_steps")
    each = _count(found, named["per_device"], "per-device batch size")
    made = each * pieces * int(known.get("devices", 1))
    total = known.get("batch_size")
    shared = "devices" not in known and total is not None and total % made == 0
    if total is not None and total not in (made, each) and not shared:
        problem = f"The batch is {total} in one place, and {made} by the devices."
        raise found.wrong(problem, "Leave out the one that is wrong.", "batch_size")
    return made if total is None else max(made, total)


# --- logs -----------------------------------------------------------------------------------------


def _logged(what: Any) -> Sequence[Mapping[str, Any]]:
    """The rows of a log, if these are rows with a step or an epoch, and noise or an ε."""
    if isinstance(what, Mapping):
        listed = [each for each in list(what.values())[:100] if isinstance(each, list)]
        return next((rows for each in listed if (rows := _logged(each))), ())
    if not isinstance(what, list) or not what:
        return ()
    if not all(isinstance(row, Mapping) for row in what):
        return ()
    keys = {str(key).strip().lower() for row in what[:1000] for key in row}
    along = keys & {*STEP, *EPOCH}
    private = {OF.get(key) for key in keys} & {"noise_multiplier", "sample_rate", "epsilon"}
    return what if along and private else ()


def _column(rows: Sequence[Mapping[str, Any]], names: tuple[str, ...]) -> str | None:
    keys = {str(key).strip().lower(): str(key) for row in rows for key in row}
    return next((keys[name] for name in names if name in keys), None)


def _from_rows(found: Found, rows: Sequence[Mapping[str, Any]]) -> ToolAccount:
    """A log: the steps of a row are those since the row before."""
    of_step, of_epoch = _column(rows, STEP), _column(rows, EPOCH)
    noted = [_named(row) for row in rows]
    says: dict[str, Any] = {}
    for name in ("examples", "batch_size"):
        values = {str(row[name]) for row in noted if name in row}
        if len(values) == 1:
            says[name] = _count(found, next(iter(values)), name)
    deltas = {as_number(row["delta"]) for row in noted if "delta" in row}
    if len(deltas) == 1 and None not in deltas:
        says["delta"] = found.number(next(iter(deltas)), "delta", most=1.0)
    said = _last_epsilon(found, noted, says.get("delta"))
    needs = ["sampling", "neighbors"]
    if not any("noise_multiplier" in row for row in noted):
        needs.append("noise_multiplier")
    if not any("sample_rate" in row for row in noted) or of_step is None:
        needs += ["batch_size", "examples"]
    counts = list(_done(found, rows, of_step or of_epoch or "step"))

    def make(known: Mapping[str, Any]) -> tuple[Part, ...]:
        return parts(_steps(found, noted, counts, of_step is None, known), known)

    ready = "noise_multiplier" not in needs and "examples" not in needs
    rates = about_rates(_steps(found, noted, counts, False, {})) if ready else []
    text = "ε in a log is a running total: its last value is what the tool says of all steps."
    return ToolAccount(
        tool="The training log",
        make=make,
        says=says,
        needs=tuple(needs),
        lacks=LACKS,
        said=said,
        notes=(*rates, *([Note("assumed", text)] if said else [])),
        unit=EXAMPLE,
        takes=("examples",),
    )


def _last_epsilon(
    found: Found, noted: Sequence[Mapping[str, Any]], delta: float | None
) -> tuple[Said, ...]:
    listed = [as_number(row["epsilon"]) for row in noted if "epsilon" in row]
    known = [each for each in listed if each is not None]
    return (Said(max(known), delta, about="the last line of the log"),) if known else ()


def _done(found: Found, rows: Sequence[Mapping[str, Any]], column: str) -> Iterator[int]:
    """How many steps, or epochs, each row adds."""
    last = 0
    for index, row in enumerate(rows):
        where = f"row {index + 1}, {column}"
        now = found.count(row.get(column), where, least=0)
        if now < last or (now == last and index):
            problem = f"{where} must grow from row to row; {now} follows {last}."
            fix = "Save one run, with the number of steps since its start."
            raise found.wrong(problem, fix, where)
        yield now - last
        last = now


def _steps(
    found: Found,
    noted: Sequence[Mapping[str, Any]],
    counts: list[int],
    of_epochs: bool,
    known: Mapping[str, Any],
) -> list[TrainingSteps]:
    made, before = [], dict(known)
    for index, (row, count) in enumerate(zip(noted, counts, strict=True)):
        before = {**before, **row}
        where = f"row {index + 1}"
        if "noise_multiplier" not in before:
            problem = f"There is no noise multiplier up to {where}."
            raise found.wrong(problem, "Write it into the first row.", where)
        sigma = noise_of(found, before["noise_multiplier"], f"{where}, noise multiplier")
        share = before.get("sample_rate")
        if share is None:
            share = known["batch_size"] / known["examples"]
        rate = rate_of(found, share, f"{where}, sample rate")
        times = count
        if of_epochs:
            times = count * math.ceil(known["examples"] / known["batch_size"])
        if times:
            made.append(TrainingSteps(sigma, rate, times))
    if not made:
        raise found.wrong(f"The log has no step: {shown(counts[-1])}.", "Save it after training.")
    return made
