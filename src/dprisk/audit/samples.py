"""Lower bounds on a mechanism that is known by its outputs only, with a stated confidence."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, final

import numpy as np
import numpy.typing as npt

from dprisk._checks import FINITE, PROBABILITY, Domain, numbers, scalar
from dprisk._numeric.logspace import Floats, exp_capped
from dprisk._values import members, result
from dprisk.answer import Answer
from dprisk.errors import InvalidInput, refused
from dprisk.text import english
from dprisk.theorems import CONFIDENCE_LIMITS

Asked = Literal["delta", "epsilon", "level"]
QUANTITY: Final[dict[Asked, str]] = {"delta": "epsilon", "epsilon": "delta", "level": "power"}

FEWEST: Final = 10
SURE: Final = Domain(
    0.5, 1.0, low_open=True, high_open=True, advice=english("errors.such-as", example=0.95)
)


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class SampledFinding:
    """One lower bound from samples. Made by `black_box`.

    Which number was `asked` and its value (`at`), the answer, the run on which the set is likelier,
    the set in words (`rule`), and its `hits` among the `held_out` outputs of that run and of the
    other.
    """

    asked: Asked
    at: float
    answer: Answer
    likelier: str
    rule: str
    hits: tuple[int, int]
    held_out: tuple[int, int]

    def to_dict(self) -> dict[str, Any]:
        """The bound as plain data: `lower` is the bound; there is no upper one."""
        return {
            "asked": self.asked,
            "at": self.at,
            "quantity": QUANTITY[self.asked],
            "lower": float(self.answer),
            "upper": None,
            **members(self, "likelier", "rule", "hits", "held_out"),
        }


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class BlackBox:
    """Evidence from samples of two neighboring runs: a finding for each question, and the
    `confidence` with which all hold together. Made by `black_box`.
    """

    names: tuple[str, str]
    sizes: tuple[int, int]
    confidence: float
    seed: int
    searched: int
    findings: tuple[SampledFinding, ...]
    assumptions: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, the same that ``dprisk audit --samples --json`` prints."""
        asked = ("names", "sizes", "confidence", "seed", "searched", "findings", "assumptions")
        return {"schema": "dprisk/audit-samples/1", **members(self, *asked)}


def black_box(
    first: Any,
    second: Any,
    *,
    delta: Sequence[float] = (),
    epsilon: Sequence[float] = (),
    level: Sequence[float] = (),
    confidence: float = 0.95,
    seed: int = 0,
    names: tuple[str, str] = ("first", "second"),
) -> BlackBox:
    """Lower bounds on what a mechanism gives away, from outputs on two neighboring datasets.

    Evidence, not proof, about these two datasets only, and never from above: a mechanism that gives
    away more in ways that no set of cells shows looks better here than it is.

    Parameters
    ----------
    first, second : array_like
        Outputs of independent runs on each of the two: numbers in (-inf, inf), or
        labels. At least 10 each.
    delta : sequence of float
        At each of these, epsilon is asked for: it is at least so much. [0, 1]
    epsilon : sequence of float
        At each of these, delta is asked for. [0, inf), nats
    level : sequence of float
        At each of these, the power of a test is asked for. [0, 1]
    confidence : float
        With which all answers hold together. (0.5, 1)
    seed : int
        Of the random split into a half that chooses the set and one that counts. [0, inf)
    names : tuple of str
        What the runs are called.

    Returns
    -------
    BlackBox
        Bounds, the sets they come from, and how many sets were compared.

    Raises
    ------
    InvalidInput
        If there are too few outputs, one is NaN, or nothing is asked.

    References
    ----------
    .. [1] C. J. Clopper, E. S. Pearson, The use of confidence or fiducial limits illustrated in
       the case of the binomial, Biometrika 26, 1934.

    Examples
    --------
    >>> import numpy as np
    >>> from dprisk.audit import black_box
    >>> rng = np.random.default_rng(1)
    >>> found = black_box(rng.laplace(0, 1, 20_000), rng.laplace(1, 1, 20_000), delta=[0.0])
    >>> bool(0.7 < float(found.findings[0].answer) < 1.0)
    True
    """
    sure = scalar("confidence", confidence, SURE)
    questions = _questions(delta, epsilon, level)
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**63:
        raise refused("errors.whole-from", "seed", seed, least=0)
    outputs = _outputs(first, second)
    halves = _split(outputs, np.random.default_rng(seed))
    training = [half[0] for half in halves]
    table = _cells_of(training)
    risk = (1.0 - sure) / (2 * len(questions))
    choices = _choices_of(table, training)
    counts = [len(half[1]) for half in halves]
    found = [_answered(question, choices, table, halves, risk, names) for question in questions]
    assumptions = (
        "The outputs of each run are independent and come from one dataset. The two "
        "datasets are neighbors.",
        f"All bounds hold together with confidence {sure:g}. If the mechanism gave away "
        f"less than one of them says, at most {1.0 - sure:.3g} of all audits like this "
        "one would see outputs like these. This is evidence, not proof.",
        "The bounds are about these two datasets only, and from below only: the "
        "mechanism may give away more.",
        "One half of the outputs chose the set. The bounds count the other half "
        f"({counts[0]} and {counts[1]}).",
    )
    sizes = len(outputs[0]), len(outputs[1])
    return BlackBox(names, sizes, sure, seed, len(choices), tuple(found), assumptions)


def _questions(
    delta: Iterable[float], epsilon: Iterable[float], level: Iterable[float]
) -> list[tuple[Asked, float]]:
    asked: list[tuple[Asked, float]] = []
    asked += [("delta", at) for at in np.ravel(numbers("delta", delta, PROBABILITY)).tolist()]
    asked += [("epsilon", at) for at in np.ravel(numbers("epsilon", epsilon, FINITE)).tolist()]
    asked += [("level", at) for at in np.ravel(numbers("level", level, PROBABILITY)).tolist()]
    if not asked:
        raise InvalidInput("a question", None, "at least one of delta, epsilon and level")
    return asked


def _outputs(first: Any, second: Any) -> list[npt.NDArray[Any]]:
    """Both runs as numbers, or both as labels."""
    runs = [np.ravel(np.asarray(run)) for run in (first, second)]
    for name, run in zip(("first", "second"), runs, strict=True):
        if len(run) < FEWEST:
            got = f"{len(run)} outputs"
            what = f"the {name} run"
            raise InvalidInput(what, got, f"at least {FEWEST} outputs")
    try:
        values = [run.astype(float) for run in runs]
    except (TypeError, ValueError):
        return [np.array([str(value) for value in run.tolist()], dtype=object) for run in runs]
    if any(np.isnan(run).any() for run in values):
        raise InvalidInput("an output", math.nan, "a number or a label", "Leave it out.")
    return [run + 0.0 for run in values]


def _split(
    runs: Sequence[npt.NDArray[Any]], rng: np.random.Generator
) -> list[tuple[npt.NDArray[Any], npt.NDArray[Any]]]:
    """Each run in two halves, by chance."""
    mixed = [run[rng.permutation(len(run))] for run in runs]
    return [(run[: len(run) // 2], run[len(run) // 2 :]) for run in mixed]


def _answered(
    question: tuple[Asked, float],
    choices: Sequence[Choice],
    table: Bins,
    halves: Sequence[tuple[npt.NDArray[Any], npt.NDArray[Any]]],
    risk: float,
    names: tuple[str, str],
) -> SampledFinding:
    """Choose by the one half as if it were the other, then count the other."""
    asked, at = question
    score = _SCORES[asked]
    hits = np.array([choice.hits for choice in choices])
    totals = np.array([choice.totals for choice in choices])
    guess = score(_least(hits[:, 0], totals[:, 0], risk), _most(hits[:, 1], totals[:, 1], risk), at)
    best = choices[int(np.argmax(guess))]
    cells = [table.of(half[1]) for half in halves]
    inside = [int((best.members[cell] & (cell >= 0)).sum()) for cell in cells]
    sizes = [len(cell) for cell in cells]
    a, b = best.likelier, 1 - best.likelier
    low = _least(inside[a], sizes[a], risk)
    value = score(low, _most(inside[b], sizes[b], risk), at)
    return SampledFinding(
        asked,
        at,
        Answer(float(value), "lower", CONFIDENCE_LIMITS),
        names[a],
        table.words(best.members),
        (inside[a], inside[b]),
        (sizes[a], sizes[b]),
    )


def _least(hits: Any, total: Any, risk: float) -> Floats:
    """Clopper and Pearson: below this the probability lies with that risk at most."""
    from scipy.special import betaincinv

    some = np.maximum(hits, 1)
    low = betaincinv(some, total - some + 1, risk) * (1.0 - 1e-9)
    return np.asarray(np.where(hits > 0, low, 0.0))


def _most(hits: Any, total: Any, risk: float) -> Floats:
    """The same from above."""
    from scipy.special import betainccinv

    rest = np.maximum(total - hits, 1)
    high = betainccinv(np.minimum(hits, total - 1) + 1, rest, risk) * (1.0 + 1e-9)
    return np.asarray(np.where(hits < total, np.minimum(high, 1.0), 1.0))


def _epsilon(p: Floats, q: Floats, delta: float) -> Floats:
    with np.errstate(divide="ignore"):
        return np.asarray(np.maximum(np.log(np.maximum(p - delta, 0.0)) - np.log(q), 0.0))


def _delta(p: Floats, q: Floats, epsilon: float) -> Floats:
    with np.errstate(over="ignore", divide="ignore"):
        return np.asarray(np.maximum(p - q * (1.0 / exp_capped(-epsilon)), 0.0))


def _power(p: Floats, q: Floats, level: float) -> Floats:
    """Power of a test at most at that level: the set, by a coin less of it, or more of the rest."""
    less = p * np.minimum(level / q, 1.0)
    more = p + (1.0 - p) * np.maximum(level - q, 0.0) / np.maximum(1.0 - q, 1e-300)
    return np.asarray(np.maximum(np.where(q >= level, less, more), level))


_SCORES: dict[Asked, Callable[[Floats, Floats, float], Floats]] = {
    "delta": _epsilon,
    "epsilon": _delta,
    "level": _power,
}


# --- sets of outputs -----------------------------------------------------------------------------


class Bins(NamedTuple):
    """Bins for outputs: intervals of numbers, or their labels."""

    edges: Floats | None
    labels: tuple[str, ...]
    size: int

    def of(self, values: Any) -> npt.NDArray[np.intp]:
        """The cell of each output; -1 for labels never seen."""
        if self.edges is not None:
            return np.asarray(np.searchsorted(self.edges, values, side="right"))
        at = {label: n for n, label in enumerate(self.labels)}
        return np.array([at.get(value, -1) for value in values], dtype=np.intp)

    def words(self, members: npt.NDArray[np.bool_]) -> str:
        """A set of cells in words."""
        if self.edges is None:
            labels = ", ".join(self.labels[n] for n in np.flatnonzero(members))
            return f"one of {labels}"
        ends = np.concatenate([[-np.inf], self.edges, [np.inf]])
        turns = np.flatnonzero(np.diff(np.concatenate([[False], members, [False]]).astype(int)))
        parts = [_interval(ends[a], ends[b]) for a, b in zip(turns[::2], turns[1::2], strict=True)]
        return " or ".join(parts)


class Choice(NamedTuple):
    """A set of cells, the run on which it should be likelier, and how often it was chosen from."""

    likelier: int
    members: npt.NDArray[np.bool_]
    hits: tuple[int, int]
    totals: tuple[int, int]


def _cells_of(training: Sequence[npt.NDArray[Any]], count: int = 64) -> Bins:
    """Cells that each hold about as many outputs of the half that chooses."""
    pooled = np.concatenate(list(training))
    if pooled.dtype == object:
        labels = tuple(sorted(set(pooled.tolist())))
        return Bins(None, labels, len(labels))
    values = np.unique(pooled)
    if len(values) <= count:
        return Bins(values[1:], (), len(values))
    cuts = np.sort(pooled)[np.linspace(0, len(pooled) - 1, count + 1).astype(int)[1:-1]]
    edges = np.unique(cuts)
    return Bins(edges, (), len(edges) + 1)


def _choices_of(table: Bins, training: Sequence[npt.NDArray[Any]]) -> list[Choice]:
    """Sets of cells: the likeliest few by their ratio, and all below or above an edge."""
    counts = [np.bincount(table.of(run), minlength=table.size) for run in training]
    totals = int(counts[0].sum()), int(counts[1].sum())
    found: list[Choice] = []
    for likelier in (0, 1):
        mine, other = counts[likelier], counts[1 - likelier]
        by_ratio = np.argsort(-(mine + 0.5) / (other + 0.5), kind="stable")
        in_order = np.arange(table.size)
        orders = [by_ratio] if table.edges is None else [by_ratio, in_order, in_order[::-1]]
        for order in orders:
            hits = np.cumsum(mine[order]), np.cumsum(other[order])
            for size in range(1, table.size):
                members = np.zeros(table.size, dtype=bool)
                members[order[:size]] = True
                both = int(hits[0][size - 1]), int(hits[1][size - 1])
                found.append(
                    Choice(likelier, members, both, (totals[likelier], totals[1 - likelier]))
                )
    return found or [Choice(0, np.ones(table.size, dtype=bool), totals, totals)]


def _interval(low: float, high: float) -> str:
    if math.isinf(low):
        return "any" if math.isinf(high) else f"below {high:.6g}"
    return f"at least {low:.6g}" if math.isinf(high) else f"in [{low:.6g}, {high:.6g})"
