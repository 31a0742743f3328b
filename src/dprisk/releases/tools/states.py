"""States of accountants for DP-SGD: Opacus and riskcal, Flower, JAX Privacy, prv_accountant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any, Final

from dprisk.releases.notes import Note
from dprisk.releases.release import Part
from dprisk.releases.tools.asked import Said, ToolAccount
from dprisk.releases.tools.found import NOTHING, Found, as_number, shown
from dprisk.releases.tools.training import (
    EXAMPLE,
    TrainingSteps,
    about_rates,
    capped,
    noise_of,
    parts,
    rate_of,
    steps_of,
)

INSIDE: Final = (
    "privacy_accountant_state_dict",
    "accountant_state_dict",
    "privacy_accountant",
    "accountant",
)
"""Where checkpoints keep the state of an accountant."""
STATE_DEPTH: Final = 4
LACKS: Final = ("delta", "examples", "clipping_norm", "tuning")
GDP: Final = (
    "The GDP accountant approximates by a central limit theorem, and can state less than is true. "
    "The history does not depend on it, and was read."
)


def recognizes(found: Found) -> bool:
    """Whether it is a history of noise and rates, a state of Flower, or parameters of JAX."""
    return any(read(found) for read in (_history, _flower, _jax)) or _is_prv(found.what)


def read(found: Found) -> ToolAccount:
    """Read the state."""
    if history := _history(found):
        return _from_history(found, history)
    if flower := _flower(found):
        return _from_flower(found, flower)
    if jax := _jax(found):
        return _from_jax(found, jax)
    return _from_prv(found)


# --- Opacus, and riskcal in the format of Opacus --------------------------------------------------


def _history(found: Found) -> Mapping[str, Any] | None:
    """The state of an accountant in the format of Opacus, wherever it stands."""
    what = found.what
    if not isinstance(what, (Mapping, str, list, tuple)) and isinstance(
        getattr(what, "history", None), (list, tuple)
    ):
        called = getattr(type(what), "mechanism", None)
        mechanism = called() if callable(called) else None
        return {"history": what.history, "mechanism": mechanism or type(what).__name__}
    accountant = getattr(what, "accountant", None)
    if not isinstance(what, Mapping) and hasattr(accountant, "history"):  # a PrivacyEngine
        return _history(Found(found.name, accountant, found.title))
    return _inside(what, 0)


def _inside(tree: Any, depth: int) -> Mapping[str, Any] | None:
    if not isinstance(tree, Mapping) or depth > STATE_DEPTH:
        return None
    if "history" in tree and ("mechanism" in tree or depth):
        return tree
    for name in INSIDE:
        if (inside := _inside(tree.get(name), depth + 1)) is not None:
            return inside
    nested = [each for each in list(tree.values())[:1000] if isinstance(each, Mapping)]
    return next((made for each in nested if (made := _inside(each, depth + 1))), None)


def _from_history(found: Found, state: Mapping[str, Any]) -> ToolAccount:
    history = state["history"]
    mechanism = str(state.get("mechanism", ""))[:40].lower()
    if not isinstance(history, Sequence) or isinstance(history, str):
        problem = f"The history must be a list of steps; {shown(history)} is there."
        raise found.wrong(problem, "Save accountant.state_dict() again.", "history")
    if not history:
        raise found.wrong(
            "The history of the accountant is empty: no step was counted.",
            "Save the accountant that the optimizer is attached to, after training. If nothing "
            "was trained, nothing was released.",
            "history",
        )
    steps = [steps_of(found, entry, f"history[{index}]") for index, entry in enumerate(history)]
    tool = "riskcal" if "ctd" in mechanism else "Opacus"
    gdp = "gdp" in mechanism or "gaussian" in mechanism
    notes = [*about_rates(steps), *([Note("warning", GDP)] if gdp else [])]
    return ToolAccount(
        tool=tool,
        make=partial(parts, steps),
        says=NOTHING,
        needs=("sampling", "neighbors"),
        lacks=LACKS,
        notes=tuple(notes),
        unit=EXAMPLE,
    )


# --- Flower ---------------------------------------------------------------------------------------

RELATION: Final = {"add-or-remove-one": "add-remove", "replace-one": "replace-one"}
METHOD: Final = {
    "poisson": "poisson",
    "without-replacement": "without-replacement",
    "no-amplification": "full-batch",
}


def _flower(found: Found) -> Mapping[str, Any] | None:
    what = found.what
    if isinstance(what, Mapping):
        is_state = "compositions" in what and isinstance(what.get("config"), Mapping)
        return what if is_state else None
    if type(what).__module__.partition(".")[0] == "flwr" and hasattr(what, "state_dict"):
        state = what.state_dict()
        return state if isinstance(state, Mapping) else None
    return None


def _word(found: Found, config: Mapping[str, Any], key: str, words: Mapping[str, str]) -> str:
    said = config.get(key)
    said = getattr(said, "value", said)
    word = str(said).lower().replace("_", "-")
    if word not in words:
        fix = f"dprisk knows {', '.join(words)}."
        problem = f"{key} must be one of Flower's words; {shown(said)} is there."
        raise found.wrong(problem, fix, f"config.{key}")
    return words[word]


def _from_flower(found: Found, state: Mapping[str, Any]) -> ToolAccount:
    config = state["config"]
    sampling = _word(found, config, "sampling_method", METHOD)
    says: dict[str, Any] = {
        "neighbors": _word(found, config, "neighboring_relation", RELATION),
        "sampling": sampling,
    }
    size = found.count(config.get("population_size"), "config.population_size")
    if sampling == "without-replacement":
        says["examples"] = size
    delta = config.get("target_delta")
    if delta is not None:
        says["delta"] = found.number(delta, "config.target_delta", most=1.0)
    compositions = state["compositions"]
    if not isinstance(compositions, Sequence) or isinstance(compositions, str) or not compositions:
        problem = "The accountant has composed nothing: no round was counted."
        raise found.wrong(problem, "Save the state after training.", "compositions")
    steps = [
        _round(found, each, size, sampling, f"compositions[{index}]")
        for index, each in enumerate(compositions)
    ]
    limit = as_number(config.get("max_epsilon"))
    said = () if limit is None else (Said(limit, as_number(delta), "limit", "max_epsilon"),)
    return ToolAccount(
        tool="Flower",
        make=partial(parts, steps),
        says=says,
        needs=("sampling", "neighbors"),
        lacks=("clipping_norm", "tuning", "delta"),
        said=said,
        notes=tuple(about_rates(steps)) if sampling == "poisson" else (),
        unit="client",
    )


def _round(found: Found, entry: Any, size: int, sampling: str, where: str) -> TrainingSteps:
    event = entry.get("event") if isinstance(entry, Mapping) else None
    if not isinstance(event, Mapping):
        problem = f"{where} must hold an event and a count."
        raise found.wrong(problem, "Save the state again.", where)
    sigma = noise_of(found, event.get("noise_multiplier"), f"{where}, noise multiplier")
    count = found.count(entry.get("count", 1), f"{where}, count")
    if sampling == "full-batch":  # its sample size is no rate
        return TrainingSteps(sigma, 1.0, count)
    sample = found.count(event.get("sample_size"), f"{where}, sample size")
    population = found.count(event.get("population_size", size), f"{where}, population size")
    if population != size:
        problem = f"The population is {population} in {where} and {size} in the configuration."
        raise found.wrong(problem, "Correct the one that is wrong.", where)
    if sample > population:
        problem = f"The sample of {sample} is larger than the population of {population}."
        raise found.wrong(problem, "Correct the one that is wrong.", where)
    return TrainingSteps(sigma, sample / population, count)


# --- JAX Privacy ----------------------------------------------------------------------------------

KERAS: Final = ("gradient_accumulation_steps", "train_steps", "train_size", "noise_multiplier")


def _jax(found: Found) -> Mapping[str, Any] | None:
    what = found.what
    if not isinstance(what, Mapping) and is_dataclass(what):
        owner = type(what).__module__.partition(".")[0]
        if owner == "jax_privacy" or type(what).__name__ in ("DpParams", "DPKerasConfig"):
            what = {each.name: getattr(what, each.name) for each in fields(what)}
    if not isinstance(what, Mapping):
        return None
    if "noise_multipliers" in what and "num_samples" in what:
        return what
    return what if all(key in what for key in KERAS) else None


def _from_jax(found: Found, state: Mapping[str, Any]) -> ToolAccount:
    return _from_keras(found, state) if "train_size" in state else _from_parameters(found, state)


def _listed(value: Any) -> list[Any]:
    """A schedule as a list, of one where it does not change."""
    value = value.tolist() if hasattr(value, "tolist") else value
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _schedule(found: Found, state: Mapping[str, Any], updates: int) -> list[TrainingSteps]:
    size = found.count(state.get("num_samples"), "num_samples")
    sigmas = _listed(state.get("noise_multipliers"))
    batch = state.get("batch_sizes")
    batches = _listed(state.get("batch_size") if batch is None else batch)
    for name, listed in (("noise_multipliers", sigmas), ("batch_sizes", batches)):
        if len(listed) not in (1, updates):
            problem = f"{name} has {len(listed)} values for {updates} updates."
            raise found.wrong(problem, "Give one, or one for each update.", name)
    different = max(len(sigmas), len(batches))
    sigmas, batches = (each * (different // len(each)) for each in (sigmas, batches))
    return [
        TrainingSteps(
            noise_of(found, sigma, "noise_multipliers"),
            rate_of(found, found.number(number, "batch_sizes") / size, "batch size / num_samples"),
            updates // different,
        )
        for sigma, number in zip(sigmas, batches, strict=True)
    ]


def _from_parameters(found: Found, state: Mapping[str, Any]) -> ToolAccount:
    sampling = _sampling_of_jax(found, state)
    size = found.count(state.get("num_samples"), "num_samples")
    says: dict[str, Any] = {"sampling": sampling, "examples": size}
    fixed = sampling == "without-replacement"
    says["neighbors"] = "replace-one" if fixed else "add-remove"
    if fixed:
        says["noise_relative_to"] = "clipping-norm"
    if state.get("delta") is not None:
        says["delta"] = found.number(state["delta"], "delta", most=1.0)
    told = "replace-one" if fixed else "add-or-remove-one"
    text = f"JAX Privacy names the neighbors in its documentation only: {told} for this sampling."
    notes = [Note("assumed", text)]
    for key in ("cycle_length", "examples_per_user"):
        if state.get(key) is not None:
            text = f"{key} is {shown(state[key])}, and was not used: each example is one record."
            notes.append(Note("warning", text))
    if state.get("is_finite_guarantee") is False:
        problem = "is_finite_guarantee is false: these parameters promise nothing."
        raise found.wrong(problem, "Describe a run with noise.", "is_finite_guarantee")
    updates = state.get("num_updates", state.get("num_steps"))
    if updates is not None:
        says["steps"] = found.count(updates, "num_updates")

    cut = state.get("truncated_batch_size")
    cap = None if cut is None else found.count(cut, "truncated_batch_size")

    def make(known: Mapping[str, Any]) -> tuple[Part, ...]:
        steps = _schedule(found, state, known["steps"])
        return parts(steps, known if cap is None else capped(known, cap))

    return ToolAccount(
        tool="JAX Privacy",
        make=make,
        says=says,
        needs=("sampling", "neighbors", "steps"),
        lacks=("clipping_norm", "tuning", "delta"),
        notes=tuple(notes),
        unit=EXAMPLE,
    )


def _sampling_of_jax(found: Found, state: Mapping[str, Any]) -> str:
    said = state.get("sampling_method", "POISSON")
    word = str(getattr(said, "name", said)).rpartition(".")[2].upper()
    known = {"POISSON": "poisson", "FIXED_BATCH_SIZE": "without-replacement"}
    if word not in known:
        problem = f"sampling_method must be POISSON or FIXED_BATCH_SIZE; {shown(said)} is there."
        raise found.wrong(problem, "Correct it.", "sampling_method")
    return known[word]


def _from_keras(found: Found, state: Mapping[str, Any]) -> ToolAccount:
    """A configuration of Keras: its batch is cut into pieces that are summed before the noise."""
    if state.get("noise_multiplier") is None:
        problem = "The configuration has no noise multiplier yet: it is set when training starts."
        raise found.wrong(problem, "Save the configuration after that.", "noise_multiplier")
    size = found.count(state["train_size"], "train_size")
    batch = found.count(state.get("batch_size"), "batch_size")
    pieces = found.count(state["gradient_accumulation_steps"], "gradient_accumulation_steps")
    sigma = noise_of(found, state["noise_multiplier"], "noise_multiplier")
    rate = rate_of(found, batch * pieces / size, "batch size / train_size")
    steps = [TrainingSteps(sigma, rate, found.count(state["train_steps"], "train_steps"))]
    says: dict[str, Any] = {"examples": size}
    delta = as_number(state.get("delta"))
    if delta is not None:
        says["delta"] = found.number(delta, "delta", most=1.0)
    target = as_number(state.get("epsilon"))
    said = () if target is None else (Said(target, delta, "target", "Poisson sampling"),)
    notes = []
    if state.get("poisson_sampling_in_fit") in (False, "False", "false"):
        text = (
            "poisson_sampling_in_fit is false, and the noise was set for Poisson sampling: that "
            "holds only if the data loader sampled so."
        )
        notes.append(Note("warning", text))
    else:
        says["sampling"] = "poisson"
    return ToolAccount(
        tool="JAX Privacy for Keras",
        make=partial(parts, steps),
        says=says,
        needs=("sampling", "neighbors"),
        lacks=("tuning", "delta"),
        said=said,
        notes=tuple(notes),
        unit=EXAMPLE,
    )


# --- prv_accountant -------------------------------------------------------------------------------


def _is_prv(what: Any) -> bool:
    return type(what).__module__.partition(".")[0] == "prv_accountant"


def _from_prv(found: Found) -> ToolAccount:
    """An accountant of DP-SGD, or one privacy random variable that it composes."""
    runs = list(getattr(found.what, "prvs", None) or [getattr(found.what, "prv", found.what)])
    name = type(runs[0]).__name__
    if len(runs) > 1:
        problem = f"It composes {len(runs)} mechanisms, and does not say how often each was run."
        raise found.wrong(problem, "Check each by itself, or describe all in a file.")
    normal = getattr(runs[0], "mu", None) if "Gaussian" in name else None
    sigma = getattr(runs[0], "sigma", 1.0 / normal if normal else None)
    rate = getattr(runs[0], "p", 1.0 if normal else None)
    if sigma is None or rate is None:
        problem = f"dprisk cannot tell what was run from a {name}."
        raise found.wrong(problem, "Describe the noise, the rate and the steps in a file.")
    noise, share = noise_of(found, sigma, "noise multiplier"), rate_of(found, rate, "rate")

    def make(known: Mapping[str, Any]) -> tuple[Part, ...]:
        return parts([TrainingSteps(noise, share, known["steps"])], known)

    return ToolAccount(
        tool="prv_accountant",
        make=make,
        says={"sampling": "poisson" if share < 1.0 else "full-batch"},
        needs=("sampling", "neighbors", "steps"),
        lacks=LACKS,
        unit=EXAMPLE,
    )
