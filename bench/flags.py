"""Ask other accountants the known answers of ``vectors/``, and count what they say by flag.

``python -m bench.flags`` (a part of ``make against``) writes the table of known answers into
``docs/accountants.md``. Only ε at a δ and δ at an ε are asked, which accountants share.
"""

from __future__ import annotations

import datetime
import json
import math
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, final

from bench.accountants import FOLDER, PAGE, PINNED, installed, versions
from vectors.judge import judged, number, vectors

__all__ = ["Told", "asked", "main", "parts", "row", "table", "told"]

BEGIN, END = "<!-- the flags begin -->\n", "<!-- the flags end -->\n"
ASKABLE = {"epsilon": "delta", "delta": "epsilon"}
ROUNDING = Decimal("1e-10")  # relative: below the truth by less is rounding, also of the question
HEAD = (
    "| flag | library | agrees | looser | by, ε | by, δ | infinite | "
    "below | by, ε | by, δ | cannot say |\n"
)
TEXTS = ("kind", "sampling", "noise_relative_to")
WHOLE = ("cap", "records", "steps")
PARTS = {
    "gaussian": ("gaussian", ("sigma",)),
    "laplace": ("laplace", ("scale",)),
    "randomized-response": ("response", ("epsilon",)),
    "geometric": ("geometric", ("scale", "sensitivity")),
    "discrete-gaussian": ("integers", ("sigma", "sensitivity")),
    "dp-sgd": ("gaussian", ("noise_multiplier",)),
    "subsampled-gaussian": ("sampled", ("sigma", "rate")),
    "subsampled-laplace": ("sampled laplace", ("scale", "rate")),
    "truncated-poisson": ("capped", ("sigma", "rate", "cap", "records")),
    "random-allocation": ("allocation", ("sigma", "steps")),
}
"""Kinds of the vectors, as `bench.asked` names them and their parameters."""
Known = dict[str, Any]


def parts(release: dict[str, Any]) -> list[list[Any]]:
    """What was run or promised, as `bench.asked` has it: noise over the distance of neighbors."""
    ran = [_part(each) for each in release.get("mechanisms", ())]
    for each in release.get("guarantees", ()):
        ran.append([*_promise(each), release["releases"]])
    if release["neighbors"] == "replace-one":  # the noise is over the clipping norm: half as far
        for each, words in zip(ran, release["mechanisms"], strict=True):
            each[1] /= 2.0 if words["noise_relative_to"] == "clipping-norm" else 1.0
    return ran


def _part(words: dict[str, Any]) -> list[Any]:
    kind, values = PARTS[words["kind"]]
    one = {key: float(value) for key, value in words.items() if key not in TEXTS}
    by = one.get("sensitivity", 1.0)
    over = {"sigma": by, "scale": by} if kind not in ("geometric", "integers") else {}
    found = [one[each] / over.get(each, 1.0) for each in values]
    found = [int(v) if each in WHOLE else v for each, v in zip(values, found, strict=True)]
    return [kind, *found, int(words.get("count", words.get("steps", 1)))]


def _promise(words: dict[str, str]) -> list[Any]:
    one = {key: float(value) for key, value in words.items()}
    if "rho" in one:
        return ["zcdp", one["rho"]]
    if "alpha" in one:
        return ["renyi", one["alpha"], one["gamma"]]
    return ["promise", one["epsilon"], one["delta"]] if one["delta"] else ["pure", one["epsilon"]]


def asked() -> list[Known]:
    """The vectors that ask for epsilon or delta of a fixed release, once."""
    files = sorted((FOLDER / "vectors" / "known").glob("*.json"))
    known = [e for path in files for e in vectors(path) if e["ask"]["what"] in ASKABLE]
    return [e for e in known if "after" not in e and not {"adaptive", "filter"} & {*e["release"]}]


def answers(name: str, known: Sequence[Known], cache: Path) -> list[dict[str, Any]]:
    """What one library says, in its own environment; the reason where it says nothing."""
    try:
        python = installed(name, cache)
    except (subprocess.SubprocessError, OSError) as error:
        return [{"reason": f"not installed: {error}"[:120]}] * len(known)
    lines = ""
    for each in known:
        what = each["ask"]["what"]
        given = float(each["ask"][ASKABLE[what]])
        lines += json.dumps([parts(each["release"]), given, what]) + "\n"
    script = str(Path(__file__).with_name("asked.py"))
    command = [str(python), "-W", "ignore", script, name]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return found + [{"reason": "the interpreter ended"}] * (len(known) - len(found))


@final
@dataclass(frozen=True)
class Told:
    """One answer beside its truth: a word, and how far it is from the truth."""

    what: str
    word: str
    apart: Decimal = Decimal(0)


def told(each: Known, said: dict[str, Any]) -> Told:
    """Judge one answer as `vectors.judge` does, but without blame for rounding."""
    what = each["ask"]["what"]
    value = said.get(what)
    if value is None or math.isnan(value):
        return Told(what, "cannot say")
    low, high = (number(end, each["id"]) for end in each["truth"])
    answer = max(Decimal(value), Decimal(0))
    found = judged(low, high, each["unsafe"], answer)
    if found.word == "unsafe":
        word = "below" if found.apart > ROUNDING else "agrees"
        return Told(what, word, low - answer)
    if found.word == "looser" and answer.is_infinite():
        return Told(what, "infinite")
    apart = answer - high if found.word == "looser" else Decimal(0)
    return Told(what, found.word, apart)


def row(found: Sequence[Told]) -> str:
    """Counts, and the largest distance for epsilon and for delta."""

    def count(word: str) -> str:
        return str(sum(each.word == word for each in found) or "–")

    def most(word: str, what: str) -> str:
        apart = [each.apart for each in found if (each.word, each.what) == (word, what)]
        return f"{float(max(apart)) or max(apart):.2g}" if apart else "–"

    looser, below = (
        [count(word), most(word, "epsilon"), most(word, "delta")] for word in ("looser", "below")
    )
    return " | ".join([count("agrees"), *looser, count("infinite"), *below, count("cannot say")])


def table(known: Sequence[Known], said: dict[str, list[dict[str, Any]]]) -> Iterator[str]:
    """Lines of Markdown: for each flag a row for each library that can answer a part."""
    yield HEAD
    yield "|---" * (HEAD.count("|") - 1) + "|\n"
    for flag in ("every question", *sorted({flag for each in known for flag in each["flags"]})):
        places = [i for i, e in enumerate(known) if flag in ("every question", *e["flags"])]
        silent = []
        for name, answered in said.items():
            found = [told(known[i], answered[i]) for i in places]
            if all(each.word == "cannot say" for each in found):
                silent.append(name)
            else:
                yield f"| {flag} | {name} | {row(found)} |\n"
        if silent:
            yield f"| {flag} | {', '.join(silent)} |" + " – |" * 8 + f" {len(places)} |\n"


def reasons(said: dict[str, list[dict[str, Any]]]) -> Iterator[str]:
    """Why a library said nothing, with how often."""
    for name, answered in said.items():
        why = [each["reason"] for each in answered if "reason" in each]
        counts = "; ".join(f"{one} ({why.count(one)})" for one in sorted({*why}))
        yield f"- {name}: {counts or 'an answer to every question'}\n"


def main() -> None:
    """Ask, judge and write the table."""
    cache, known = FOLDER / ".against", asked()
    cache.mkdir(exist_ok=True)
    shared: dict[str, list[str]] = defaultdict(list)
    for name in PINNED:
        shared[name.split()[0]].append(name)  # one environment: one after the other

    def of(names: list[str]) -> dict[str, list[dict[str, Any]]]:
        return {name: answers(name, known, cache) for name in names}

    with ThreadPoolExecutor(2) as pool:
        each = [*pool.map(of, shared.values())]
    said = {name: found for some in each for name, found in some.items()}
    (cache / "flags.json").write_text(json.dumps(said, indent=1), "utf-8")
    write(known, said)


def write(known: Sequence[Known], said: dict[str, list[dict[str, Any]]]) -> None:
    """Put the table into the page."""
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    python = sys.version.split()[0]
    text = f"Run on {today}, Python {python}: {len(known)} questions; {versions(said)}.\n\n"
    text += "".join(table(known, said))
    text += "\nWhere a library cannot say (number of questions):\n\n" + "".join(reasons(said))
    before, rest = PAGE.read_text("utf-8").split(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}", "utf-8")


if __name__ == "__main__":
    main()
