"""Risk profiles on the page: their epsilon beside the package's, and beside exact fractions."""

from __future__ import annotations

import math
import os
import re
from fractions import Fraction
from random import Random

import mpmath
import pytest

from dprisk.budget import ProfileLimit, largest_budget, ratio_or_posterior, solve
from tests.documents.browser import audited, needs_chromium, opened
from tests.web.test_commands import answered, evaluated, read
from tests.web.test_page import at

pytestmark = needs_chromium

CLOSE = 1e-11
DRAWS = int(os.environ.get("DPRISK_DRAWS", "300"))  # make page: ten thousand
COVERED = ("every", "membership", "value", "both")
ASKED = """cases => cases.map(([asked, isReplaced]) => profiles.solve(asked, isReplaced).epsilon)
  .map(value => value === Infinity ? 1e999 : value)"""
STEPS = [Fraction(1, 10**12), *(Fraction(k, 40) for k in range(1, 41))]


def drawn(rng):
    """A profile, with numbers in 100 as they are typed, and whether one record is replaced."""
    part = lambda: rng.choice([1, 5, 10, 25, 50, 99, 100, round(rng.uniform(0.01, 100.0), 2)])  # noqa: E731
    replaced = rng.random() < 0.25
    return {
        "cap": rng.choice([0, part(), part(), part()]),
        "ratio": rng.choice([1, 1.5, 2, 3, 4, 10, round(rng.uniform(1.0, 50.0), 2)]),
        "covered": rng.choice(("every", "value") if replaced else COVERED),
        "included": part(),
        "valued": part(),
    }, replaced


def written(asked, replaced):
    """The same profile, of the package."""
    where = {}
    if replaced or asked["covered"] in {"membership", "both"}:
        where["membership_prior"] = 1.0 if replaced else asked["included"] / 100
    if asked["covered"] in {"value", "both"}:
        where["value_prior"] = asked["valued"] / 100
    return ratio_or_posterior(asked["ratio"], asked["cap"] / 100, **where)


def exact(number):
    """The decimal that was typed."""
    return Fraction(repr(number))


def priors(asked, replaced):
    """Pairs of priors that a profile covers: some, with those where its two parts meet."""
    a, r = exact(asked["cap"]) / 100, exact(asked["ratio"])
    fixed = asked["covered"]
    first = [exact(asked["included"]) / 100] if fixed in {"membership", "both"} else STEPS
    first = [Fraction(1)] if replaced else first
    second = [exact(asked["valued"]) / 100] if fixed in {"value", "both"} else STEPS
    pairs = [(p, q) for p in first for q in second]
    if fixed not in {"value", "both"}:
        pairs += [(p, a / r / p) for p in first if 0 < a / r <= p]
    elif len(first) > 1:
        pairs += [(a / r / q, q) for q in second if 0 < a / r <= q]
    return pairs


def breaks(asked, replaced, epsilon):
    """A pair of priors at which the bound of Equation 6 is above the profile, to 60 digits."""
    a, r = exact(asked["cap"]) / 100, exact(asked["ratio"])
    if epsilon == math.inf:
        return next(
            (pair for pair in priors(asked, replaced) if max(a, r * math.prod(pair)) < 1), None
        )
    with mpmath.workdps(60):
        x = mpmath.exp(-mpmath.mpf(epsilon) / (2 if replaced else 1))
        real = lambda f: mpmath.mpf(f.numerator) / f.denominator  # noqa: E731
        for p, q in priors(asked, replaced):
            bottom = real(p * q) + real(p * (1 - q)) * x**2 + real(1 - p) * x
            if 1 / bottom > real(max(a / (p * q), r)):
                return float(p), float(q)
    return None


def asked_on(path, cases):
    with opened(path) as page:
        page.goto(path.as_uri())
        found = page.evaluate(ASKED, cases)
    return [math.inf if value is None else float(value) for value in found]


def test_never_above_the_truth_and_almost_what_the_package_says(path):
    rng = Random("profiles")
    cases = [drawn(rng) for _ in range(DRAWS)]
    furthest = 0.0
    for (asked, replaced), epsilon in zip(cases, asked_on(path, cases), strict=True):
        most = float(solve(written(asked, replaced)).epsilon.value) * (2.0 if replaced else 1.0)
        assert epsilon == 0.0 or breaks(asked, replaced, epsilon) is None, (
            asked,
            replaced,
            epsilon,
        )
        if math.inf in {most, epsilon} or min(most, epsilon) < 1e-6:
            assert most == pytest.approx(epsilon, abs=1e-6), (asked, replaced)
            continue
        furthest = max(furthest, abs(1.0 - epsilon / most))
    print(f"{DRAWS} profiles; relative differences at most {furthest}")
    assert furthest < CLOSE


def test_slightly_more_breaks_the_profile(path):
    """The closed forms are tight at the priors that bind."""
    rng = Random("tight")
    cases = [drawn(rng) for _ in range(60)]
    for (asked, replaced), epsilon in zip(cases, asked_on(path, cases), strict=True):
        if 1e-6 < epsilon < 20.0:
            assert breaks(asked, replaced, epsilon * 1.000001), (asked, replaced, epsilon)


def test_certainty_is_decided_on_the_decimals_that_were_typed(path):
    """p q r is exactly 1, or just below."""
    base = {"cap": 50, "ratio": 10, "covered": "both", "included": 100, "valued": 10}
    cases = [
        (base, False),
        ({**base, "valued": 9.999999}, False),
        ({**base, "included": 10, "valued": 30, "ratio": 33.333333}, False),
        ({**base, "cap": 100, "valued": 1}, False),
    ]
    found = asked_on(path, cases)
    assert found[0] == found[3] == math.inf
    assert math.isfinite(found[1])
    assert math.isfinite(found[2])


@pytest.mark.parametrize(
    "address",
    [
        "",
        "covered=membership&cap=15&count=4",
        "covered=value&valued=20&ratio=2.5",
        "covered=both&included=30&valued=60",
        "neighbors=replace-one",
        "neighbors=replace-one&covered=value&count=3",
    ],
)
def test_the_command_and_the_python_say_the_same(path, address, tmp_path):
    said, (file, command, python) = read(path, f"way=budget&rule=profile&{address}")
    where = tmp_path / "profile.yaml"
    where.write_text(file, encoding="utf-8")
    found = answered(command.replace("profile.yaml", str(where)))["budgets"][0]["value"]
    assert float(evaluated(python)) == found
    shown = float(re.findall(r"ε of at most ([\d.]+\d)", said)[0])
    assert 0.0 <= found - shown < 1e-3 * found


def test_the_form_asks_what_counts_and_the_address_says_it(path):
    with opened(path) as page:
        page.goto(f"{path.as_uri()}#way=budget")
        assert page.is_hidden("#cap")
        page.select_option("#rule", "profile")
        assert "rule=profile" in page.url
        assert page.is_hidden("#points")
        assert page.is_hidden("#secret")
        assert page.is_hidden("#confidence")
        assert page.is_hidden("#included")
        assert "at most 0.6496" in page.inner_text("#headline")
        page.select_option("#covered", "membership")
        assert page.is_visible("#included")
        page.fill("#included", "8")
        assert "included=8" in page.url
        assert "8 in 100 for being in the data" in page.inner_text("#headline")
        page.select_option("#neighbors", "replace-one")
        assert page.is_disabled("#covered [value=membership]")
        assert "knows that the person is in the data" in page.inner_text("#headline")
        page.fill("#cap", "100")
        assert "Any ε keeps this limit" in page.inner_text("#headline")
        page.goto(f"{path.as_uri()}#way=budget&rule=profile&confidence=95")
        assert "confidence=95" in page.inner_text("#headline")
        page.goto(f"{path.as_uri()}#way=budget&rule=profile&ratio=1&cap=0")
        assert "Only ε = 0" in page.inner_text("#headline")


@pytest.mark.parametrize("address", ["", "&covered=both", "&covered=value&lang=de"])
def test_nothing_is_cut_and_nothing_complains(path, address):
    found = audited(at(path, f"way=budget&rule=profile{address}"))
    assert found.complaints == []
    assert found.violations == []


def test_the_clinic_of_the_paper(path):
    """Kazan and Reiter 2024, Agency 1."""
    asked = {"cap": 25, "ratio": 3, "covered": "value", "included": 5, "valued": 100}
    (epsilon,) = asked_on(path, [(asked, False)])
    assert epsilon == pytest.approx(math.log(11.0 / 3.0), rel=CLOSE)
    limit = ProfileLimit(written(asked, False))
    assert epsilon <= float(largest_budget(limit, "pure").value) * (1.0 + CLOSE)
