"""Ask other accountants forty cases, each in its own environment, and judge what they say.

``python -m bench.accountants`` (a part of ``make against``) writes the table of
``docs/accountants.md``. A library that does not install or does not answer leaves its reason.
"""

from __future__ import annotations

import datetime
import json
import math
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing import Pipe, Process
from pathlib import Path
from typing import Any, final

from dprisk import ZeroConcentratedDP
from dprisk.composition import compose
from dprisk.guarantees import PureDP
from dprisk.mechanisms import Gaussian, Laplace, RandomizedResponse, SubsampledGaussian

__all__ = ["AWKWARD", "ORDINARY", "Case", "bracket", "judged", "main", "table", "versions"]

FOLDER = Path(__file__).parents[1]
PAGE = FOLDER / "docs" / "accountants.md"
BEGIN, END = "<!-- the table begins -->\n", "<!-- the table ends -->\n"
LONGEST = 120.0  # seconds for one bracket
CLOSE = 1e-6  # relative: what differs by less is called equal
ON_GOOGLE = ["dp_accounting==0.6.0", "numpy==2.4.6", "scipy==1.17.1"]
OPACUS = ["numpy==2.4.6", "scipy==1.17.1", "opt_einsum==3.4.0", "--no-deps opacus==1.6.0"]
PINNED = {
    "dp_accounting PLD": ON_GOOGLE,
    "dp_accounting RDP": ON_GOOGLE,
    "Opacus PRV": OPACUS,
    "Opacus RDP": OPACUS,
    "prv_accountant": ["prv_accountant==0.2.0", "numpy==2.4.6", "scipy==1.17.1"],
    "autodp": ["autodp==0.2.3.1", "numpy==2.4.6", "scipy==1.17.1", "matplotlib==3.11.2"],
    "opake-accounting": ["opake-accounting==0.16.1"],
    "riskcal": ["riskcal==1.5.1", *ON_GOOGLE],
    "OpenDP": ["opendp==0.16.0"],
    "PLD_accounting": ["PLD_accounting==2.0", *ON_GOOGLE],
}


@final
@dataclass(frozen=True)
class Case:
    """Parts, each a kind, its parameters and a count, and the delta of the question."""

    parts: tuple[tuple[Any, ...], ...]
    delta: float

    def __str__(self) -> str:
        """Name the parts."""
        words = {
            "gaussian": "Gaussian σ = {:g}",
            "laplace": "Laplace b = {:g}",
            "response": "randomized response ε = {:g}",
            "pure": "pure ε = {:g}",
            "zcdp": "zCDP ρ = {:g}",
            "sampled": "DP-SGD σ = {:g}, q = {:g}",
        }
        each = (f"{words[p[0]].format(*p[1:-1])}, {p[-1]:,} ×" for p in self.parts)
        return f"{' + '.join(each)}; δ = {self.delta:g}"


def _cases(*rows: tuple[Any, ...]) -> tuple[Case, ...]:
    return tuple(Case(parts=tuple(row[:-1]), delta=row[-1]) for row in rows)


ORDINARY = _cases(
    (("gaussian", 1, 1), 1e-5),
    (("gaussian", 0.5, 1), 1e-5),
    (("gaussian", 2, 10), 1e-6),
    (("gaussian", 5, 100), 1e-6),
    (("gaussian", 10, 1000), 1e-5),
    (("laplace", 1, 1), 1e-5),
    (("laplace", 2, 10), 1e-6),
    (("laplace", 10, 100), 1e-6),
    (("response", 1, 1), 1e-5),
    (("response", 0.5, 10), 1e-6),
    (("pure", 0.1, 10), 1e-6),
    (("pure", 0.1, 100), 1e-5),
    (("zcdp", 0.5, 1), 1e-6),
    (("zcdp", 0.1, 1), 1e-5),
    (("sampled", 1, 0.01, 1000), 1e-5),
    (("sampled", 1.1, 0.01, 5000), 1e-5),
    (("sampled", 0.8, 0.004, 10000), 1e-6),
    (("sampled", 2, 0.05, 500), 1e-5),
    (("sampled", 1.3, 0.001, 20000), 1e-6),
    (("sampled", 0.7, 0.02, 200), 1e-5),
)
AWKWARD = _cases(
    (("gaussian", 1, 1), 1e-12),
    (("gaussian", 100, 10000), 1e-12),
    (("gaussian", 100, 10000), 1e-14),
    (("gaussian", 0.1, 1), 1e-5),
    (("gaussian", 100, 1), 1e-5),
    (("sampled", 1, 0.01, 100), 1e-12),
    (("sampled", 0.8, 0.001, 1000), 1e-10),
    (("sampled", 0.1, 0.01, 10), 1e-5),
    (("sampled", 1, 1, 1), 1e-5),
    (("sampled", 1, 0.01, 1), 1e-5),
    (("sampled", 100, 0.01, 100000), 1e-6),
    (("sampled", 1.5, 0.0001, 100000), 1e-6),
    (("laplace", 1, 1), 0.0),
    (("response", 1, 10), 0.0),
    (("pure", 0.00001, 1000), 1e-12),
    (("laplace", 10000, 1000), 1e-10),
    (("gaussian", 5, 10), ("laplace", 5, 10), 1e-6),
    (("sampled", 1, 0.01, 500), ("sampled", 2, 0.02, 500), 1e-5),
    (("sampled", 1, 0.01, 1000), ("gaussian", 10, 1), ("laplace", 10, 1), 1e-6),
    (("zcdp", 0.005, 1), 1e-10),
)


def bracket(case: Case) -> tuple[float, float]:
    """Certified ends of epsilon, one record added or removed.

    Under zCDP the lower end is that of a Gaussian mechanism that keeps it: no promise is smaller.
    """
    if case.parts[0][0] == "zcdp":
        rho = case.parts[0][1]
        own = Case(parts=(("gaussian", 1.0 / math.sqrt(2.0 * rho), 1),), delta=case.delta)
        upper = ZeroConcentratedDP(rho, neighbors="add-remove").epsilon(case.delta)
        return bracket(own)[0], float(upper.value)
    made: list[Any] = []
    for kind, *parameters, _ in case.parts:
        one = parameters[0]
        if kind == "gaussian":
            made.append(Gaussian(one, 1, neighbors="add-remove"))
        elif kind == "laplace":
            made.append(Laplace(one, 1, neighbors="add-remove"))
        elif kind == "response":
            made.append(RandomizedResponse(one, neighbors="add-remove"))
        elif kind == "pure":
            made.append(PureDP(one, neighbors="add-remove"))
        else:
            made.append(SubsampledGaussian(one, 1, parameters[1], neighbors="add-remove"))
    found = compose(made, [part[-1] for part in case.parts]).epsilon(case.delta)
    low, high = found.bracket
    return float(low), float(high)


def bracketed(case: Case) -> tuple[float, float]:
    """The bracket, by a process that may take so long; from 0 to infinity where it is not done."""
    mine, theirs = Pipe(duplex=False)
    child = Process(target=_sent, args=(case, theirs))
    child.start()
    found: tuple[float, float] = mine.recv() if mine.poll(LONGEST) else (0.0, math.inf)
    child.kill()
    return found


def _sent(case: Case, to: Any) -> None:
    to.send(bracket(case))


def judged(said: dict[str, Any], low: float, high: float) -> str:
    """What a cell of the table says: below the truth, equal, above by how much, or a dash."""
    value = said.get("epsilon")
    if value is None:
        return "–"
    if math.isnan(value):
        return "not a number"
    if math.isinf(value):
        return "inf" if math.isfinite(high) else "="
    if value < low - 1e-12 * abs(low):
        return f"**−{low - value:.2g}**"
    if value <= high * (1.0 + CLOSE):
        return "="
    return f"+{value - high:.2g}"


def answers(name: str, cases: Sequence[Case], cache: Path) -> list[dict[str, Any]]:
    """What one library says to all cases; a failure to install is its answer to each."""
    try:
        python = installed(name, cache)
    except (subprocess.CalledProcessError, OSError) as error:
        return [{"reason": f"not installed: {error}"[:120]}] * len(cases)
    lines = "".join(json.dumps([each.parts, each.delta]) + "\n" for each in cases)
    script = Path(__file__).with_name("asked.py")
    done = subprocess.run(
        [str(python), "-W", "ignore", str(script), name],
        input=lines,
        capture_output=True,
        text=True,
        check=False,
    )
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return found + [{"reason": "the interpreter ended"}] * (len(cases) - len(found))


def installed(name: str, cache: Path) -> Path:
    """The interpreter of an environment with the pinned packages, made once."""
    folder = cache / "-".join(name.split()[:1])
    python, ready = folder / "bin" / "python", folder / "ready"
    if not ready.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        plain = [each for each in PINNED[name] if " " not in each]
        for packages in (plain, *(each.split() for each in PINNED[name] if " " in each)):
            pip = [str(python), "-m", "pip", "install", "--quiet", *packages]
            subprocess.run(pip, check=True, capture_output=True, timeout=600)
        ready.touch()
    return python


def table(
    cases: Sequence[Case],
    ends: Sequence[tuple[float, float]],
    said: dict[str, list[dict[str, Any]]],
) -> Iterator[str]:
    """Lines of Markdown: a row for each case, a column for each library."""
    yield "| case | certified ε | " + " | ".join(said) + " |\n"
    yield "|---" * (len(said) + 2) + "|\n"
    for i, (case, (low, high)) in enumerate(zip(cases, ends, strict=True)):
        shown = f"{high:.6g}" if high - low <= 1e-5 * high else f"{low:.6g} to {high:.6g}"
        cells = [judged(said[name][i], low, high) for name in said]
        yield f"| {case} | {shown} | " + " | ".join(cells) + " |\n"


def counted(ends: Sequence[tuple[float, float]], said: dict[str, list[dict[str, Any]]]) -> str:
    """One row for each library: how often below, equal, above, without an answer, and why."""
    lines = ["| library | below | equal | above | infinite | no answer | reasons |\n", "|---" * 7]
    lines[-1] += "|\n"
    for name, each in said.items():
        cells = [judged(one, *both) for one, both in zip(each, ends, strict=True)]
        kinds = [sum(cell.startswith(sign) for cell in cells) for sign in ("**", "=", "+", "inf")]
        reasons = sorted({one["reason"].replace("|", "/") for one in each if "reason" in one})
        row = [name, *map(str, kinds), str(len(cells) - sum(kinds)), "; ".join(reasons) or "–"]
        lines.append("| " + " | ".join(row) + " |\n")
    return "".join(lines)


def main() -> None:
    """Ask, judge and write the page's table."""
    cache = FOLDER / ".against"
    cases = [*ORDINARY, *AWKWARD]
    cache.mkdir(exist_ok=True)
    shared: dict[str, list[str]] = {}
    for name in PINNED:
        shared.setdefault(name.split()[0], []).append(name)

    def of(names: list[str]) -> dict[str, list[dict[str, Any]]]:
        return {name: answers(name, cases, cache) for name in names}

    with ThreadPoolExecutor(2) as pool:
        found = {k: v for each in pool.map(of, shared.values()) for k, v in each.items()}
    (cache / "said.json").write_text(json.dumps(found, indent=1), "utf-8")
    write(found, cases)


def versions(names: Iterable[str] = PINNED) -> str:
    """The libraries, each with its pinned version."""
    pinned = (PINNED[name] for name in names)
    first = (e[0] if "opacus" not in e[-1] else e[-1][10:] for e in pinned)
    return ", ".join(dict.fromkeys(first)).replace("==", " ")


def write(found: dict[str, list[dict[str, Any]]], cases: Sequence[Case]) -> None:
    """Judge the answers, and write the tables into the page."""
    ends = [bracketed(case) for case in cases]
    n = len(ORDINARY)
    today = datetime.datetime.now(tz=datetime.UTC).date()
    text = f"Run on {today.isoformat()}, Python {sys.version.split()[0]}: {versions()}.\n\n"
    text += counted(ends, found)
    for title, cut in (("Ordinary cases", slice(0, n)), ("Awkward cases", slice(n, None))):
        part = {name: each[cut] for name, each in found.items()}
        text += f"\n**{title}**\n\n" + "".join(table(cases[cut], ends[cut], part))
    before, rest = PAGE.read_text("utf-8").split(BEGIN)
    PAGE.write_text(before + BEGIN + "\n" + text + "\n" + END + rest.split(END)[1], "utf-8")


if __name__ == "__main__":
    main()
