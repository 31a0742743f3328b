"""Record what every command and a thousand random queries answer; later, compare.

Run ``python scripts/freeze_answers.py record out/frozen.json`` before the code is moved, and
``compare`` with the same file afterwards. Every JSON leaf is compared: numbers to the last bit, and
text. What differs is listed, the largest differences first, and the exit code is 1. With
``--brackets``, the two ends of each number are compared instead: one bracket has to meet the other,
or one of them is false. What grew by more than ten times is listed.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import math
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

import dprisk
from dprisk import mechanisms
from dprisk.cli import main as dprisk_main
from dprisk.composition import compose

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
RELEASES = ("broadband.yaml", "census.yaml", "editors.json", "pageviews.toml", "user-url.yaml")
TYPED = {
    "pure": ["--epsilon", "1"],
    "approximate": ["--epsilon", "1", "--delta", "1e-6"],
    "concentrated": ["--rho", "0.5"],
    "gaussian": ["--mu", "1"],
    "renyi": ["--alpha", "2", "--gamma", "1"],
    "laplace": ["--definition", "laplace", "--mu", "1"],
}
WHO = ["--neighbors", "add-remove"]
DRAWS = 1000  # a fifth of them about compositions


def commands() -> Iterator[list[str]]:
    """One line each, all of which print JSON."""
    for name in RELEASES:
        path = str(EXAMPLES / name)
        yield ["assess", path, "--json"]
        yield [
            "assess",
            path,
            "--prior",
            "0.01",
            "--prior",
            "0.5",
            "--confidence",
            "0.95",
            "--json",
        ]
        yield ["power", path, "--level", "0.05", "--json"]
        yield ["counterfactual", path, "--json"]
        yield ["compose", path, "--delta", "1e-6", "--power", "0.05", "--json"]
        yield ["ladder", path, "--releases", "10", "--json"]
        yield ["plan", path, "--limit", "posterior=0.9", "--prior", "0.1", "--json"]
        for audience in ("data-subject", "curator", "regulator", "researcher"):
            yield ["explain", path, "--audience", audience, "--json"]
        yield ["report", path, "--format", "json"]
    for words in TYPED.values():
        typed = [*words, *WHO]
        yield ["assess", *typed, "--json"]
        yield ["power", *typed, "--level", "0.05", "--json"]
        yield ["counterfactual", *typed, "--json"]
        yield ["explain", *typed, "--json"]
        for target in ("approximate", "concentrated", "gaussian", "renyi", "tradeoff", "pure"):
            for landing in (["--at-delta", "1e-6"], ["--at-alpha", "2"]):
                yield ["convert", *typed, "--to", target, *landing, "--all", "--json"]
    for target in ("posterior=0.6", "ratio=1.5", "difference=0.1", "power=0.2"):
        yield ["budget", *WHO, "--limit", target, "--prior", "0.3", "--level", "0.05", "--json"]
    yield ["budget", str(EXAMPLES / "profiles/clinic.yaml"), *WHO, "--json"]
    yield ["audit", str(EXAMPLES / "mechanisms/answers.csv"), "--json"]
    yield ["allocation", "census2020", "--json"]
    yield ["deployments", "--json"]
    yield ["witness", "--list", "--json"]
    yield ["reproduce", "P4", "--json"]
    for what in ("assessment", "release"):
        yield ["schema", what]


def promises(draw: np.random.Generator) -> dprisk.Guarantee:
    """A promise of a random definition, ordinary or extreme."""
    who: Any = {"neighbors": str(draw.choice(["add-remove", "replace-one"]))}
    epsilon, delta = _spread(draw, 1e-6, 50), _spread(draw, 1e-12, 0.5)
    kinds: list[Callable[[], dprisk.Guarantee]] = [
        lambda: dprisk.PureDP(epsilon, **who),
        lambda: dprisk.ApproxDP(epsilon, delta, **who),
        lambda: dprisk.ApproxDPCurve([epsilon, 2 * epsilon], [delta, delta / 8], **who),
        lambda: dprisk.ProbabilisticDP(epsilon, delta, **who),
        lambda: dprisk.ProbabilisticDP(epsilon, delta, sides="one", **who),
        lambda: dprisk.ProbabilisticallyBoundedDP(epsilon, delta, **who),
        lambda: dprisk.GaussianDP(_spread(draw, 1e-3, 10), **who),
        lambda: dprisk.ZeroConcentratedDP(_spread(draw, 1e-4, 20), **who),
        lambda: dprisk.RenyiDP(1 + _spread(draw, 0.1, 50), _spread(draw, 1e-3, 10), **who),
        lambda: dprisk.FDP([0, 0.25, 1], [1, 0.25, 0], **who),
        lambda: dprisk.guarantees.LaplaceDP(_spread(draw, 1e-3, 10), **who),
    ]
    return kinds[draw.integers(len(kinds))]()


def composed(draw: np.random.Generator) -> dprisk.Guarantee:
    """What mechanisms, or a mechanism and a promise, keep together."""
    who: Any = {"neighbors": "add-remove"}
    scale = _spread(draw, 0.3, 30)
    kinds: list[Callable[[], Any]] = [
        lambda: mechanisms.Laplace(scale, 1.0, **who),
        lambda: mechanisms.Gaussian(scale, 1.0, **who),
        lambda: mechanisms.Geometric(scale, 1, **who),
        lambda: mechanisms.TruncatedLaplace(scale, 1.0, 10 * scale, **who),
        lambda: mechanisms.DiscreteGaussian(scale, 1, **who),
        lambda: mechanisms.RandomizedResponse(_spread(draw, 0.05, 3), **who),
        lambda: mechanisms.SubsampledGaussian(scale, 1.0, _spread(draw, 1e-4, 0.5), **who),
        lambda: dprisk.PureDP(_spread(draw, 0.01, 1), **who),
        lambda: dprisk.ZeroConcentratedDP(_spread(draw, 1e-3, 0.1), **who),
    ]
    parts = [kinds[k]() for k in draw.choice(len(kinds), draw.integers(1, 3))]
    losses = [one if isinstance(one, dprisk.Guarantee) else one.loss() for one in parts]
    return compose(losses, [int(_spread(draw, 1, 300)) for _ in losses]).guarantee


def question(draw: np.random.Generator) -> tuple[str, Callable[[dprisk.Guarantee], Any]]:
    """A random question about any guarantee, and its name."""
    level, failure = float(draw.random()), _spread(draw, 1e-12, 0.9)
    epsilon, delta = _spread(draw, 1e-3, 20), _spread(draw, 1e-12, 0.5)
    prior, confidence = float(draw.random()), float(draw.choice([0.5, 0.9, 0.99]))
    who = dprisk.Adversary(priors=(prior,))
    asked: list[tuple[str, Callable[[dprisk.Guarantee], Any]]] = [
        ("delta", lambda g: g.delta(epsilon)),
        ("epsilon", lambda g: g.epsilon(delta)),
        ("power", lambda g: g.power(level)),
        ("level", lambda g: g.level(level)),
        ("tail", lambda g: g.tail(epsilon)),
        ("loss bound", lambda g: g.loss_bound(failure)),
        ("posterior", lambda g: dprisk.disclosure(g, confidence=confidence).posterior(prior)),
        ("assess", lambda g: dprisk.assess(g, who).to_dict()),
    ]
    return asked[draw.integers(len(asked))]


def queries(seed: int = 20) -> Iterator[tuple[str, Any]]:
    """Answers to random questions about random guarantees."""
    for i in range(DRAWS):
        draw = np.random.default_rng([seed, i])
        name, ask = question(draw)
        guarantee = composed(draw) if i % 5 == 0 else promises(draw)
        try:
            yield f"query {i} {name}", plain(ask(guarantee))
        except dprisk.DpriskError as error:
            yield f"query {i} {name}", f"{type(error).__name__}: {error}"


def _spread(draw: np.random.Generator, low: float, high: float) -> float:
    return float(np.exp(draw.uniform(math.log(low), math.log(high))))


def plain(value: Any) -> Any:
    """What was answered, as plain data."""
    if isinstance(value, dprisk.Answer):
        ends = [np.asarray(end).tolist() for end in value.bracket]
        return [np.asarray(value.value).tolist(), str(value.bound), ends]
    if hasattr(value, "lower") and hasattr(value, "upper"):
        return [plain(value.lower), plain(value.upper)]
    return value


def run(words: list[str]) -> Any:
    """What a command prints, with its exit code."""
    out, err = io.StringIO(), io.StringIO()
    code: Any = 0
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.redirect_stdout(out))
        stack.enter_context(contextlib.redirect_stderr(err))
        stack.enter_context(patch.object(sys, "argv", ["dprisk", *words]))
        try:
            dprisk_main()
        except SystemExit as end:
            code = end.code
    try:
        printed = json.loads(out.getvalue())
    except ValueError:
        printed = out.getvalue()
    return {"code": code, "out": printed, "err": err.getvalue()}


def everything() -> dict[str, Any]:
    """Every answer by the words that ask for it."""
    found: dict[str, Any] = {}
    start = time.monotonic()
    for words in commands():
        key = "dprisk " + " ".join(words).replace(str(EXAMPLES), "examples")
        found[key] = run(words)
        print(f"{time.monotonic() - start:6.1f} s  {found[key]['code']}  {key}", file=sys.stderr)
    found.update(queries())
    print(f"{time.monotonic() - start:6.1f} s  {DRAWS} queries", file=sys.stderr)
    plainly: dict[str, Any] = json.loads(json.dumps(found).replace(str(ROOT), ""))
    return plainly


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every number and text of plain data, with the way to it."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from leaves(one, f"{path}/{key}")
    elif isinstance(value, list):
        for i, one in enumerate(value):
            yield from leaves(one, f"{path}/{i}")
    else:
        yield path, value


def brackets(value: Any, path: str = "") -> Iterator[tuple[str, float, float]]:
    """Both ends of every number that has them, with the way to it."""
    if isinstance(value, dict):
        low, high = value.get("lower"), value.get("upper")
        if isinstance(low, int | float) and isinstance(high, int | float):
            yield path, low, high
        for key, one in value.items():
            yield from brackets(one, f"{path}/{key}")
    elif isinstance(value, list):
        if len(value) == 3 and isinstance(value[1], str) and isinstance(value[2], list):
            low, high = value[2]
            if isinstance(low, int | float) and isinstance(high, int | float):
                yield path, low, high
        for i, one in enumerate(value):
            yield from brackets(one, f"{path}/{i}")


def compare_brackets(before: Any, after: Any) -> int:
    """1 where a bracket does not meet the one that it replaces."""
    old = {path: ends for path, *ends in brackets(before)}
    new = {path: ends for path, *ends in brackets(after)}
    false, grown = [], []
    for path in old.keys() & new.keys():
        (low, high), (least, most) = old[path], new[path]
        if low > most or least > high:
            false.append(path)
        width, wider = high - low, most - least
        if wider > 10 * width and wider > 1e-12 * max(abs(most), abs(least)):
            grown.append((wider / max(width, 5e-324), path))
    for path in false:
        print(f"does not meet  {path}\n               {old[path]}\n               {new[path]}")
    for factor, path in sorted(grown, reverse=True):
        print(f"{factor:8.1e} times wider  {path}  {old[path]}  {new[path]}")
    gone = len(old.keys() - new.keys())
    print(f"{len(old):,} brackets: {len(false)} do not meet, {len(grown)} grew, {gone} are gone")
    return 1 if false else 0


def apart(before: Any, after: Any) -> float:
    """How far two leaves are from each other; text that differs is as far as can be."""
    both = (before, after)
    if before == after:
        return 0.0
    if any(isinstance(one, bool) or not isinstance(one, int | float) for one in both):
        return math.inf
    if not all(map(math.isfinite, both)):
        return math.inf
    return float(abs(before - after) / max(map(abs, both)))


def main() -> int:
    """1 where something differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("do", choices=("record", "compare"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--numbers", action="store_true", help="compare numbers only")
    parser.add_argument("--brackets", action="store_true", help="compare both ends of numbers")
    given = parser.parse_args()
    now = everything()
    if given.do == "record":
        given.file.parent.mkdir(parents=True, exist_ok=True)
        given.file.write_text(json.dumps(now))
        print(f"{len(now)} answers, {sum(1 for _ in leaves(now)):,} leaves")
        return 0
    if given.brackets:
        return compare_brackets(json.loads(given.file.read_text()), now)
    old, new = dict(leaves(json.loads(given.file.read_text()))), dict(leaves(now))
    found = []
    for key in [*old, *(key for key in new if key not in old)]:
        before, after = old.get(key, "nothing"), new.get(key, "nothing")
        if given.numbers and (isinstance(before, str) or isinstance(after, str)):
            continue
        if distance := apart(before, after):
            found.append((distance, key, before, after))
    found.sort(key=lambda row: -row[0])
    for distance, key, before, after in found[:200]:
        print(f"{distance:8.1e}  {key}\n          {before!r}\n          {after!r}")
    print(f"{len(found):,} of {len(old):,} leaves differ")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
