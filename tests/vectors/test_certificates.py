"""Certificates: a program that shares no code with dprisk accepts them, and no others."""

from __future__ import annotations

import json
import math
import os
import random
import subprocess
import sys
import time
from collections import Counter
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import pytest

from dprisk import ApproxDP, GaussianDP, PureDP, RenyiDP, ZeroConcentratedDP
from dprisk.composition import certificates
from dprisk.documents import compose_release
from dprisk.errors import Meaningless
from dprisk.mechanisms import Gaussian, Geometric, Laplace, RandomizedResponse
from dprisk.releases import Part, Release
from vectors import certificate as checker
from vectors import certificate_zcdp
from vectors.judge import vectors

SCRIPT = Path(checker.__file__)
KNOWN = SCRIPT.parent / "known"
DRAWS = int(os.environ.get("DPRISK_CERTIFICATES", "20"))


def some_part(rng, neighbors):
    kind = rng.choice(["pure", "approximate", "gdp", "normal", "laplace", "geometric", "response"])
    small, whole = round(10 ** rng.uniform(-2.0, 0.3), 4), rng.randint(1, 3)
    who: Any = {"neighbors": neighbors}
    if kind in ("pure", "approximate"):
        delta = rng.choice([1e-9, 1e-6, 0.001, 2.0**-12])
        return PureDP(small, **who) if kind == "pure" else ApproxDP(small, delta, **who)
    if kind == "gdp":
        return GaussianDP(small, **who)
    if kind == "response":
        return RandomizedResponse(small, rng.choice([2, 2, 3, 8]), **who)
    made = {"normal": Gaussian, "laplace": Laplace, "geometric": Geometric}[kind]
    return made(round(whole / small, 3), whole, **who)


def some_release(rng):
    neighbors = rng.choice(["add-remove", "replace-one"])
    parts = []
    for _ in range(rng.choice([1, 1, 2, 3])):
        what, count = some_part(rng, neighbors), round(10 ** rng.uniform(0.0, 1.7))
        is_promise = isinstance(what, PureDP | ApproxDP | GaussianDP)
        parts.append(Part(what, count) if is_promise else Part.of(what, count))
    return replace(Release.of(parts[0], name="drawn"), parts=tuple(parts))


def drawn(number):
    """Answers to some questions about a random release, and how long they took."""
    rng = random.Random(f"certificate {number}")
    release = some_release(rng)
    delta = float(f"{10 ** rng.uniform(-12.0, -1.0):.3g}")
    epsilon = round(rng.uniform(0.0, 4.0), 3)
    begun = time.perf_counter()
    made = compose_release(release, delta=[delta], epsilon=[epsilon])
    return made, time.perf_counter() - begun


def judged(tree, tmp_path):
    """Exit code and words of the program, run by itself."""
    path = tmp_path / "certificate.json"
    path.write_text(tree if isinstance(tree, str) else json.dumps(tree), encoding="utf-8")
    command = [sys.executable, "-I", str(SCRIPT), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert "Traceback" not in done.stderr
    assert ("accepted" in done.stdout) == (done.returncode == 0)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def some():
    """Certificates of random releases, how long the answers took, and what has none."""
    found, without, took = [], Counter(), 0.0
    for number in range(10 * DRAWS):
        made, seconds = drawn(number)
        try:
            found.append(made.certificate())
        except Meaningless as none:
            without[none.why] += 1
            continue
        took += seconds
        if len(found) == DRAWS:
            return found, took, without
    raise AssertionError(without)


def test_all_are_accepted(some, tmp_path):
    """As a process; its time is printed beside that of the command that gives the answer."""
    found, took, without = some
    begun = time.perf_counter()
    for each in found:
        code, said = judged(each, tmp_path)
        assert code == 0, (said, each)
    checking = (time.perf_counter() - begun) / DRAWS
    begun = time.perf_counter()
    command = "from dprisk.cli import main; main()"
    subprocess.run([sys.executable, "-c", command, *COMMAND], capture_output=True, check=True)
    starting = time.perf_counter() - begun
    print(f"{DRAWS} accepted: {checking:.3f} s each; one command, {starting:.3f} s; the answers")
    print(f"{took / DRAWS:.3f} s each besides; without: {dict(without)}")


COMMAND = ["compose", "--mechanism", "laplace", "scale=2", "sensitivity=1", "--neighbors"]
COMMAND = [*COMMAND, "add-remove", "--delta", "0.01", "--quiet"]


FORMS = ["field", "missing", "digit", "kind", "cut"]


def moved(text, factor):
    return str(mpmath.mpf(text) * factor)


def tampered(tree, rng):
    """A certificate with one thing changed that makes it wrong; None where this changes nothing."""
    made, claim = deepcopy(tree), rng.choice(range(len(tree["claims"])))
    claim, part = made["claims"][claim], rng.choice(made["parts"])
    how = rng.choice([*3 * ["upper", "lower", "at", "more"], "count", *FORMS])
    low, high = float(claim["lower"]), float(claim["upper"])
    if how in ("upper", "lower", "at", "more") and not 0.0 < low <= high < min(
        low * (1.0 + 1e-7), 1.0 if claim["bound"] == "delta" else float("inf")
    ):
        return None  # too wide, or at an end
    if how in ("at", "more") and claim["asked"] == "epsilon":
        return None  # where only what is revealed outright is left, delta stays the same
    if how == "upper":
        claim.update(lower="0", upper=moved(claim["upper"], 1 - 1e-6))
    elif how == "lower":
        most = "1" if claim["bound"] == "delta" else "inf"
        claim.update(lower=moved(claim["lower"], 1 + 1e-6), upper=most)
    elif how == "at":
        claim["at"] = moved(claim["at"], 1.01)
    elif how == "more":
        part["count"] += 1
    elif how == "count":
        part["count"] = rng.choice([0, -1, True, 1.5, "2", 10**10])
    elif how == "field":
        rng.choice([made, claim, part])["more"] = "1"
    elif how == "missing":
        name, inside = rng.choice([("theorem", made), ("lower", claim), ("kind", part)])
        del inside[name]
    elif how == "digit":
        claim["upper"] = rng.choice([float(claim["upper"]), "nan", "1e", "0x1", "", None, "1_0"])
    elif how == "kind":
        part["kind"] = rng.choice(["Laplace", "", None, "concentrated", ["pure"]])
    else:
        text = json.dumps(made)
        return text[: rng.randrange(len(text) - 1)]
    return made


def test_none_that_is_changed_is_accepted(some, tmp_path):
    found, _, _ = some
    rng, done, words = random.Random("tampered"), 0, Counter()
    while done < DRAWS:
        changed = tampered(rng.choice(found), rng)
        if changed is None:
            continue
        code, said = judged(changed, tmp_path)
        assert code in (1, 2), (said, changed)
        words[code] += 1
        done += 1
    print(f"{done} tampered: {words[1]} refused, {words[2]} no certificate")


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"certificate": 2}, "certificate must be one of [1]"),
        ({"certificate": True}, "certificate must be one of [1]"),
        ({"certificate": 1.0}, "certificate must be one of [1]"),
        ({"flags": []}, "flags is unknown"),
        ({"theorem": "P0 Theorem 2.8(2)"}, "theorem must be one of"),
        ({"parts": []}, "no part"),
        ({"claims": []}, "no claim"),
        ({"parts": [{"kind": "pure", "epsilon": "0", "count": 1}]}, "not in its range"),
        ({"parts": [{"kind": "pure", "epsilon": "1", "count": 5000}]}, "too many terms"),
        (
            {
                "parts": [
                    {
                        "kind": "randomized-response",
                        "epsilon": "1",
                        "categories": "1e999",
                        "count": 9,
                    }
                ]
            },
            "too many terms",
        ),
    ],
)
def test_what_is_no_certificate_is_refused_by_name(change, word, tmp_path):
    code, said = judged({**SMALL, **change}, tmp_path)
    assert code == 2 and word in said


SMALL = {
    "certificate": 1,
    "neighbors": "add-remove",
    "parts": [{"kind": "pure", "epsilon": "1", "count": 2}],
    "theorem": "dprisk Proposition 33",
    "claims": [{"asked": "delta", "at": "0", "bound": "epsilon", "lower": "2", "upper": "2"}],
}


def test_ends_that_are_exact(tmp_path):
    """Sums of decimals, and the largest loss: where no digit is to spare."""
    assert judged(SMALL, tmp_path)[0] == 0
    twice = [{"kind": "approximate", "epsilon": "1", "delta": "0.1", "count": 2}]
    for at, low, high, code in (
        ("0.19", "2", "2", 0),
        ("0.19", "0", "1.9999999999", 1),
        ("0.19", "2.0000000001", "3", 1),
        ("0.1899999999", "inf", "inf", 0),
        ("0.19", "inf", "inf", 1),
        ("1", "0", "0", 0),
    ):
        claim = {"asked": "delta", "at": at, "bound": "epsilon", "lower": low, "upper": high}
        assert judged({**SMALL, "parts": twice, "claims": [claim]}, tmp_path)[0] == code
    open_ = [{"kind": "approximate", "epsilon": "1", "delta": "1", "count": 1}]
    for at, low, high, code in (("1", "1", "2", 1), ("1", "0", "0", 0), ("0.9", "inf", "inf", 0)):
        claim = {"asked": "delta", "at": at, "bound": "epsilon", "lower": low, "upper": high}
        assert judged({**SMALL, "parts": open_, "claims": [claim]}, tmp_path)[0] == code
    summed = {**SMALL, "parts": twice, "theorem": "P0 Theorem 2.8(1)"}
    for at, low, high, code in (
        ("0.2", "2", "2", 0),
        ("0.19", "2", "2", 1),
        ("0.19", "0", "inf", 0),
    ):
        claim = {"asked": "delta", "at": at, "bound": "epsilon", "lower": low, "upper": high}
        assert judged({**summed, "claims": [claim]}, tmp_path)[0] == code


def test_it_agrees_with_known_answers():
    """Truths that were computed in two other ways, to 25 digits."""
    asked = 0
    for name in ("gaussian", "laplace", "laplace-composed", "geometric", "randomized-response"):
        for each in vectors(KNOWN / f"{name}.json"):
            if each["ask"]["what"] != "delta":
                continue
            parts = [
                checker.Part(
                    one["kind"],
                    one["count"],
                    {key: Fraction(one[key]) for key in checker.KINDS[one["kind"]]},
                )
                for one in each["release"]["mechanisms"]
            ]
            low, high = map(Fraction, each["truth"])
            checker.Ball.bits = 400
            found = checker.Release(parts).finite(Fraction(each["ask"]["epsilon"]))
            unit = 1 << checker.Ball.bits
            assert Fraction(found.mid - found.rad, unit) <= high
            assert Fraction(found.mid + found.rad, unit) >= low
            assert high <= low * (1 + Fraction(1, 10**20)) or low == 0
            asked += 1
    assert asked > 150


@pytest.mark.parametrize("x", ["1/3", "-5/7", "100", "-100", "7001/10", "-1/1000000000", "0"])
def test_exponentials_are_enclosed(x):
    for bits in (64, 300, 1000):
        found = checker.exp(Fraction(x), bits)
        with mpmath.workdps(700):
            true = mpmath.exp(mpmath.mpf(Fraction(x).numerator) / Fraction(x).denominator)
            off = abs(found.mid - mpmath.ldexp(true, bits))
            assert off <= found.rad <= 4


@pytest.mark.parametrize(
    ("t", "v"),
    [("1/3", "2"), ("-17", "1"), ("30", "1"), ("-1/9", "1/999"), ("-9", "4"), ("0", "1")],
)
def test_normal_laws_are_enclosed(t, v):
    t, v = Fraction(t), Fraction(v)
    for bits in (64, 300, 1000):
        checker.Ball.bits = bits
        with mpmath.workdps(700):
            x, var = (mpmath.mpf(each.numerator) / each.denominator for each in (t, v))
            density = mpmath.exp(-x * x / var / 2) / mpmath.sqrt(2 * mpmath.pi * var)
            true = density, mpmath.erfc(-x / mpmath.sqrt(2 * var)) / 2
            for found, wanted in zip(checker.normal(t, v), true, strict=True):
                assert abs(found.mid - mpmath.ldexp(wanted, bits)) <= found.rad <= 40


def test_more_digits_only_narrow_what_is_found():
    """Enclosures at several precisions have a number in common."""
    for number in range(1000, 1012):
        try:
            tree = drawn(number)[0].certificate()
        except Meaningless:
            continue
        release, _ = checker.read(json.dumps(tree))
        for epsilon in (Fraction(0), Fraction(1, 3), Fraction(2)):
            ends = []
            for bits in (40, 100, 300):
                checker.Ball.bits = bits + 4 * release.laplace
                found, unit = release.finite(epsilon), 1 << checker.Ball.bits
                ends.append([Fraction(found.mid + s * found.rad, unit) for s in (-1, 1)])
            assert max(low for low, _ in ends) <= min(high for _, high in ends)


def test_the_program_is_short_and_imports_nothing_else():
    for path in (SCRIPT, SCRIPT.with_name("certificate_zcdp.py")):
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        assert len(lines) <= 300
        imports = {line.split()[1] for line in lines if line.startswith(("import ", "from "))}
        assert imports <= {
            "decimal",
            "json",
            "re",
            "sys",
            "fractions",
            "functools",
            "itertools",
            "math",
            "pathlib",
        }


def test_both_mean_the_same_lengths():
    assert (certificates.MOST_WORK, certificates.MOST_TERMS) == (checker.MOST, checker.MOST_TERMS)
    kinds = set(certificates.PROMISES.values()) | set(certificates.RUN)
    assert kinds == {*checker.KINDS, "concentrated"}
    theorems = [str(each) for each in (certificates.CLOSED_FORM, certificates.BASIC_COMPOSITION)]
    assert theorems == checker.HEAD["theorem"]
    assert [str(certificates.RENYI_PROFILE)] == certificate_zcdp.HEAD["theorem"]


# --- zCDP -----------------------------------------------------------------------------------------


def summed(number):
    """The certificate of a sum of zCDP at random, at an epsilon and a delta."""
    rng = random.Random(f"zCDP {number}")
    each = ZeroConcentratedDP(
        10 ** rng.uniform(-5.0, 1.0), delta=rng.choice([0.0, 1e-9]), neighbors="add-remove"
    )
    more = ZeroConcentratedDP(10 ** rng.uniform(-5.0, 0.0), neighbors="add-remove")
    first = Part(each, rng.choice([1, 2, 10, 1000]))
    parts = (first, Part(more, rng.choice([1, 7]))) if number % 2 else (first,)
    release = replace(Release.of(first, name="drawn"), parts=parts)
    asked = {"delta": [10 ** rng.uniform(-12.0, -1.0)], "epsilon": [rng.uniform(0.0, 4.0)]}
    return compose_release(release, **asked).certificate(), rng


def shown(tree):
    """Whether every claim is shown by its line."""
    rho, lost, claims = certificate_zcdp.read(json.dumps(tree))
    return all(
        None in (epsilon, delta) or certificate_zcdp.holds(rho, lost, epsilon, delta, line)
        for epsilon, delta, line in claims
    )


@pytest.mark.parametrize("number", range(max(DRAWS // 2, 8)))
def test_sums_of_zcdp_are_shown_by_lines_and_no_less(number):
    tree, rng = summed(number)
    assert shown(tree) and all(claim["lower"] == "0" for claim in tree["claims"])
    for place, claim in enumerate(tree["claims"]):
        if not 1e-300 < float(claim["upper"]) < (1.0 if claim["bound"] == "delta" else math.inf):
            continue
        for name, part, value in (
            ("upper", claim, moved(claim["upper"], 1 - 1e-6)),
            ("at", claim, moved(claim["at"], 1 - 1e-4)),
            ("log_r", claim["line"], moved(claim["line"]["log_r"], 1 + rng.uniform(0.5, 2.0))),
            ("rho", tree["parts"][0], moved(tree["parts"][0]["rho"], 1.1)),
        ):
            changed = json.loads(json.dumps(tree))
            home = changed["parts"][0] if name == "rho" else changed["claims"][place]
            (home["line"] if name == "log_r" else home)[name] = value
            assert part[name] != value and not shown(
                {**changed, "claims": [changed["claims"][place]]}
            )


@pytest.mark.parametrize("number", range(200))
def test_no_line_shows_less_than_normal_noise_reveals(number):
    """A normal law keeps its rho: no order and no ratios may show a smaller delta."""
    rng = random.Random(f"line {number}")
    rho, epsilon = (Fraction(10 ** rng.uniform(*ends)) for ends in ((-3.0, 1.0), (-2.0, 1.0)))
    mu, e = mpmath.sqrt(2 * mpmath.mpf(float(rho))), mpmath.mpf(float(epsilon))
    above = mpmath.ncdf(mu / 2 - e / mu) - mpmath.exp(e) * mpmath.ncdf(-mu / 2 - e / mu)
    line = [Fraction(s * 10 ** rng.uniform(-4.0, 1.5)) for s in (1, 1, -1)]
    if rng.random() < 0.5:  # near the best order
        line[0] = Fraction(max(0.01, float((epsilon / rho - 1) / 2)) * rng.uniform(0.8, 1.25))
        line[1] = epsilon * Fraction(rng.uniform(1.0, 1.5))
    delta = Fraction(float(above) * (1 - 1e-9))
    assert not certificate_zcdp.holds(rho, Fraction(0), epsilon, delta, line)


def test_what_is_no_certificate_of_zcdp_is_refused_by_name(tmp_path):
    tree, _ = summed(1)
    claim, part = tree["claims"][0], tree["parts"][0]
    path, script = tmp_path / "rho.json", SCRIPT.with_name("certificate_zcdp.py")
    less = {**claim, "upper": moved(claim["upper"], 0.5)}
    far = {**claim, "line": {**claim["line"], "above_1": "1e900"}}
    for change, code, word in (
        ({}, 0, "accepted: 2 of 2"),
        ({"claims": [less]}, 1, "refused"),
        ({"claims": [far]}, 1, "refused"),
        ({"flags": []}, 2, "flags is unknown"),
        ({"certificate": 2}, 2, "certificate must be one of [1]"),
        ({"theorem": "dprisk Proposition 33"}, 2, "theorem must be one of"),
        ({"parts": [{**part, "kind": "pure"}]}, 2, "kind concentrated"),
        ({"parts": [{**part, "rho": "0"}]}, 2, "rho must be above 0"),
        ({"parts": [{**part, "xi": "0"}]}, 2, "xi is unknown"),
        ({"claims": [{**claim, "lower": "0.5"}]}, 2, "from 0 upwards"),
        ({"claims": [{**claim, "line": {**claim["line"], "log_t": "0"}}]}, 2, "r > 1 > t"),
        ({"claims": [{**claim, "line": None}]}, 2, "A line must have fields"),
        ({"claims": []}, 2, "no claim"),
    ):
        path.write_text(json.dumps({**tree, **change}), encoding="utf-8")
        command = [sys.executable, "-I", str(script), str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == code and word in done.stdout + done.stderr, (change, done)
        assert "Traceback" not in done.stderr
    path.write_text(json.dumps(tree)[:-9], encoding="utf-8")
    assert certificate_zcdp.main([str(path)]) == 2


@pytest.mark.parametrize(
    ("parts", "word"),
    [
        ((ZeroConcentratedDP(0.1, xi=0.1, neighbors="add-remove"),), "zCDP with a ξ"),
        (
            (ZeroConcentratedDP(0.1, neighbors="add-remove"), PureDP(1.0, neighbors="add-remove")),
            "zCDP and other parts",
        ),
        ((RenyiDP([2.0], [0.5], neighbors="add-remove"),), "a part of kind renyi"),
    ],
)
def test_where_there_is_none_it_says_so(parts, word):
    release = replace(Release.of(parts[0], name="some"), parts=tuple(Part(p, 2) for p in parts))
    with pytest.raises(Meaningless, match=word):
        certificates.certificate(release)
