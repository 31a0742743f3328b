"""Random mechanisms with closed forms, put to other accountants: does a second opinion ever err?

``python -m bench.alarms [DRAWS] [LIBRARY...]`` draws 500 for each library of `bench.accountants`,
asks it in its own environment, and has `dprisk.check` judge the answer. The closed forms are
evaluated in many digits, without the package. The counts stand in ``docs/accountants.md``.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from random import Random
from typing import Any, final
from unittest.mock import patch

import mpmath
from mpmath import mp, mpf

from bench.accountants import FOLDER, PAGE, PINNED, Case, answers
from dprisk.composition.opinion import READINGS, check
from dprisk.guarantees import PureDP
from dprisk.mechanisms import Gaussian, Laplace, RandomizedResponse, SubsampledGaussian
from dprisk.releases import Part

__all__ = ["KINDS", "Judged", "drawn", "judged", "made", "main", "truth"]

SEED = "alarms"
BEGIN, END = "<!-- the counts begin -->\n", "<!-- the counts end -->\n"
HEAD = (
    "| library | answers | below the closed form | called below | agrees | looser | undecided | "
    "false alarms | missed |\n" + "|---" * 9 + "|\n"
)
ROUNDING = mpf(10) ** -10  # relative: by less, a statement is rounded and no one is to blame
KINDS = {
    "dp_accounting PLD": ("gaussian", "laplace", "response", "pure", "sampled"),
    "dp_accounting RDP": ("gaussian", "laplace", "response", "sampled"),
    "Opacus PRV": ("gaussian", "sampled"),
    "Opacus RDP": ("gaussian", "sampled"),
    "prv_accountant": ("gaussian", "laplace", "response", "pure", "sampled"),
    "autodp": ("gaussian", "laplace", "response", "pure", "sampled"),
    "opake-accounting": ("gaussian", "pure", "sampled"),
    "riskcal": ("gaussian", "sampled"),
    "OpenDP": ("gaussian", "laplace", "response"),
    "PLD_accounting": ("gaussian", "sampled"),
}
"""What each library knows, of what has a closed form."""


def drawn(name: str, number: int) -> Case:
    """A mechanism that a library knows, how often it is used, and a delta."""
    draw = Random(f"{SEED}/{name}/{number}")
    kind = draw.choice(KINDS[name])
    delta = float(f"{10.0 ** draw.uniform(-12.0, -2.0):.3g}")

    def size(least: float, most: float) -> float:
        return float(f"{mpmath.exp(draw.uniform(*map(mpmath.log, (least, most)))):.4g}")

    if kind == "gaussian":
        part: tuple[Any, ...] = (kind, size(0.3, 100.0), round(size(1, 500)))
    elif kind == "sampled":
        part = (kind, size(0.4, 20.0), size(1e-4, 0.9), 1)
    elif kind == "laplace":
        part = (kind, size(0.1, 100.0), 1)
    else:
        part = (kind, size(0.01, 3.0), round(size(1, 40)))
    is_pure = kind not in ("gaussian", "sampled")
    return Case((part,), 0.0 if is_pure and number % 7 == 0 else delta)


def truth(case: Case) -> mpf:
    """The least epsilon, in 40 digits, of the doubles as given."""
    ((kind, one, *rest),), delta = case.parts, mpf(case.delta)
    with mpmath.workdps(60):
        if kind == "gaussian":
            return +_of_normal(mp.sqrt(rest[0]) / mpf(one), delta)
        if kind == "sampled":
            rate = mpf(rest[0])
            return mp.log1p(rate * mp.expm1(_of_normal(1 / mpf(one), delta / rate)))
        if kind == "laplace":  # delta(e) = 1 - exp((e - 1/b) / 2)
            return max(mpf(0), 1 / mpf(one) + 2 * mp.log1p(-delta))
        return _of_coins(mpf(one), rest[0], delta)


def _of_normal(mu: mpf, delta: mpf) -> mpf:
    """Balle and Wang 2018, Theorem 8, solved by bisection."""

    def excess(e: mpf) -> mpf:
        return mp.ncdf(mu / 2 - e / mu) - mp.exp(e) * mp.ncdf(-mu / 2 - e / mu) - delta

    if excess(mpf(0)) <= 0:
        return mpf(0)
    low, high = mpf(0), mpf(1)
    while excess(high) > 0:
        low, high = high, 2 * high
    for _ in range(110):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    return high


def _of_coins(epsilon: mpf, count: int, delta: mpf) -> mpf:
    """So many randomized responses: Kairouz, Oh, Viswanath 2015, Theorem 3.3, solved on a piece."""
    right = 1 / (1 + mp.exp(-epsilon))
    above = below = mpf(0)
    for k in range(count, -1, -1):  # from the largest loss down
        loss = (2 * k - count) * epsilon
        if loss < 0:
            break
        if above - mp.exp(loss) * below > delta:
            return mp.log((above - delta) / below)
        ways = mp.binomial(count, k) * right**k * (1 - right) ** (count - k)
        above, below = above + ways, below + ways * mp.exp(-loss)
        if delta == 0:
            return loss
    return mp.log((above - delta) / below) if above - below > delta else mpf(0)


def made(case: Case) -> Part:
    """The same for a check."""
    ((kind, one, *rest, count),) = case.parts
    if kind == "gaussian":
        return Part.of(Gaussian(one, 1.0, neighbors="add-remove"), count)
    if kind == "laplace":
        return Part.of(Laplace(one, 1.0, neighbors="add-remove"), count)
    if kind == "response":
        return Part.of(RandomizedResponse(one, neighbors="add-remove"), count)
    if kind == "pure":
        return Part(PureDP(one, neighbors="add-remove"), count)
    return Part.of(SubsampledGaussian(one, 1.0, rest[0], neighbors="add-remove"), count)


@final
@dataclass(frozen=True)
class Judged:
    """A statement, the closed form, and the verdict."""

    case: Case
    stated: float
    least: mpf
    verdict: str

    @property
    def false_alarm(self) -> bool:
        """Whether a true statement is called false."""
        return self.verdict == "below" and self.stated >= self.least

    @property
    def missed(self) -> bool:
        """Whether a false statement is not called that, beyond rounding."""
        return self.verdict != "below" and self.stated < self.least * (1 - ROUNDING)


def judged(case: Case, stated: float) -> Judged:
    """The second opinion on a statement (of a negative ε: on 0), without its reasons."""
    stated = max(stated, 0.0)
    with patch.dict(READINGS, clear=True):
        (found,) = check(made(case), epsilon=stated, delta=case.delta).comparisons
    return Judged(case, stated, truth(case), found.verdict)


def all_judged(name: str, draws: int) -> Iterator[Judged]:
    """Draw, ask and judge; more is drawn where a library has no finite answer."""
    start = done = 0
    while done < draws and start < 3 * draws:
        cases = [drawn(name, number) for number in range(start, start + draws - done)]
        start += len(cases)
        for case, said in zip(cases, answers(name, cases, FOLDER / ".against"), strict=True):
            if said.get("epsilon") is not None and mpmath.isfinite(said["epsilon"]):
                done += 1
                yield judged(case, said["epsilon"])


def row(name: str, found: list[Judged]) -> str:
    """Counts for the page."""
    verdicts = Counter(each.verdict for each in found)
    counts = [len(found), sum(each.stated < each.least for each in found)]
    counts += [verdicts[one] for one in ("below", "agrees", "looser", "undecided")]
    counts += [sum(each.false_alarm for each in found), sum(each.missed for each in found)]
    return f"| {name} | " + " | ".join(map(str, counts)) + " |\n"


def counted(name: str, draws: int) -> str:
    """The row of one library; what is wrong is printed."""
    found = [*all_judged(name, draws)]
    for each in found:
        if each.false_alarm or each.missed:
            print("WRONG", name, each, flush=True)
    print(made_row := row(name, found), end="", flush=True)
    return made_row


def main(draws: int, names: Sequence[str]) -> None:
    """Ask libraries, two at once; what is known of all of them is written into the page."""
    kept = FOLDER / ".against" / "alarms.json"
    rows = json.loads(kept.read_text("utf-8")) if kept.exists() else {}
    with ProcessPoolExecutor(2) as pool:
        for name, made_row in zip(names, pool.map(counted, names, repeat(draws)), strict=True):
            rows[name] = made_row
            kept.write_text(json.dumps(rows), "utf-8")
    text = HEAD + "".join(rows[name] for name in PINNED if name in rows)
    before, rest = PAGE.read_text("utf-8").split(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}", "utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500, sys.argv[2:] or [*PINNED])
