"""The commands and the Python lines on the page run, and answer what the page says."""

from __future__ import annotations

import ast
import re
import shlex

import pytest

from tests.cli.running import run
from tests.documents.browser import needs_chromium, opened

pytestmark = needs_chromium

PROMISES = [
    "",
    "prior=1",
    "epsilon=0.3&count=12",
    "kind=approximate&confidence=95",
    "kind=approximate&epsilon=0.1&count=30&unit=household",
    "kind=approximate&epsilon=0.1&count=30&secret=attribute",
    "epsilon=8",
    "epsilon=6&prior=90",
    "epsilon=0",
    "epsilon=0.001&prior=1",
    "epsilon=0.5&unit=user-day&count=3",
    "kind=approximate&epsilon=0.1&secret=attribute",
    "kind=concentrated&rho=0.05&neighbors=replace-one&secret=attribute",
    "kind=gaussian&mu=0.3&count=4&secret=attribute&prior=2.5",
]
BUDGETS = [
    "",
    "points=10:20,50:60&count=4&confidence=95",
    "neighbors=replace-one&secret=attribute&points=1:5",
]


def read(path, address):
    """What the page says, and the commands and the lines of Python below."""
    with opened(path) as page:
        page.goto(f"{path.as_uri()}#{address}")
        said = page.inner_text("#headline")
        return said, page.locator("#shown pre").all_inner_texts()


def answered(command):
    """What a command of the page answers, as data."""
    return run(*shlex.split(command)[1:], "--json").data


def evaluated(code):
    """The value of the last line."""
    *lines, last = ast.parse(code).body
    names: dict = {}
    exec(compile(ast.Module(lines, []), "page", "exec"), names)
    return eval(compile(ast.Expression(last.value), "page", "eval"), names)


def posteriors(tree):
    """Every upper end of a belief afterwards, wherever it stands."""
    if isinstance(tree, list):
        return [each for one in tree for each in posteriors(one)]
    if not isinstance(tree, dict):
        return []
    if tree.get("metric") == "posterior":
        return [tree["upper"]]
    own = [tree["after_at_most"]] if "after_at_most" in tree else []
    return own + [each for one in tree.values() for each in posteriors(one)]


def says(text, most):
    """Whether a text says a chance, rounded upwards, of at most so much."""
    found = re.findall(r"(\d[\d,.]*) in (\d[\d,]*\d)", text)
    pairs = [[float(each.replace(",", "")) for each in pair] for pair in found]
    return any(0.0 <= n / of - most < 1.0 / of for n, of in pairs) or (
        most > 0.99 and "possibly over 99 in 100" in text
    )


@pytest.mark.parametrize("address", PROMISES)
def test_promise(path, address):
    said, (command, python) = read(path, address)
    headline = " ".join(run(*shlex.split(command)[1:], "-q").out.split())
    assert " ".join(said.split()).startswith(headline)
    most = float(evaluated(python))
    assert says(said, most)
    assert most in posteriors(answered(command))


@pytest.mark.parametrize("address", BUDGETS)
def test_budget(path, address):
    said, (command, python) = read(path, f"way=budget&{address}")
    found = [each for line in command.split("\n") for each in answered(line)["budgets"]]
    assert float(evaluated(python)) == found[0]["value"]
    for each in found:
        value = float(f"{each['value']:.3g}")
        assert f"{each['value']:.10f}"[: len(f"{value}")].rstrip("0") in said, (each["value"], said)


def test_compare(path):
    said, (both,) = read(path, "way=compare&kind2=gaussian&mu2=1")
    for command in both.split("\n"):
        assert any(says(said, each) for each in posteriors(answered(command)))


@pytest.mark.parametrize(
    "published",
    [
        *("Lookup Hints", "User-URL Privacy Dataset"),
        *("block within tract", "race and block within tract"),
    ],
)
def test_published(path, published):
    said, (code,) = read(path, f"way=release&published={published}")
    assert "AutoPlay" not in said  # as at the start
    if code.startswith("dprisk"):
        found = posteriors(answered(code))
    else:
        best = min(evaluated(code).statements, key=lambda each: float(each.loss))
        found = [float(best.find("posterior", 0.1).upper)]
    assert any(says(said, each) for each in found)
