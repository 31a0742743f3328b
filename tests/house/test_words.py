"""Neither the code nor the pages say what they must not."""

from __future__ import annotations

import re

import pytest

from tests.house.tree import ROOT, SOURCE

# An exponential of a privacy loss overflows at 710 nats: _numeric has one that does not.
NAKED_EXPONENTIAL = re.compile(r"\b(?:np|numpy|math)\.exp2?\(\s*(?:\w+\.)?_?eps(?:ilon)?\w*\b")

# A bound on odds is not one on how likely something is, and no finite epsilon ends all risk.
WRONG_WORDS = re.compile(
    r"times\s+(?:more|less|as)\s+likely|no\s+risk|risk[-\s]+free|perfectly\s+private"
    r"|anonymi[sz]\w+|anonymous(?:ly)?",
    re.IGNORECASE,
)


def found(pattern, paths):
    """Where a pattern occurs, as ``file:line: words``."""
    hits = []
    for path in paths:
        text = path.read_text(encoding="utf-8")
        for match in pattern.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            hits.append(f"{path.name}:{line}: {match[0]}")
    return hits


def speaking_files():
    """What a user reads: the pages, and what the package says, with its templates."""
    pages = [
        path
        for path in (ROOT / "docs").rglob("*.md")
        if "_build" not in path.relative_to(ROOT).parts
    ]
    said = [p for p in SOURCE.rglob("*") if p.suffix in (".py", ".j2", ".js")]
    return [ROOT / "README.md", *pages, *said]


def test_exponentials_of_a_loss_are_in_one_place():
    paths = [path for path in SOURCE.rglob("*.py") if path.parent.name != "_numeric"]
    assert found(NAKED_EXPONENTIAL, paths) == []


def test_no_wrong_words():
    assert found(WRONG_WORDS, speaking_files()) == []


@pytest.mark.parametrize(
    "code", ["np.exp(epsilon)", "math.exp( self.epsilon)", "1 + numpy.exp(\n    epsilon + 1)"]
)
def test_a_naked_exponential_is_caught(code, tmp_path):
    path = tmp_path / "formula.py"
    path.write_text(code)
    assert found(NAKED_EXPONENTIAL, [path])


@pytest.mark.parametrize("code", ["np.exp(-epsilon)", "np.expm1(epsilon)", "exp_capped(epsilon)"])
def test_a_stable_exponential_is_not(code, tmp_path):
    path = tmp_path / "formula.py"
    path.write_text(code)
    assert not found(NAKED_EXPONENTIAL, [path])


@pytest.mark.parametrize(
    "sentence", ["three times\n  more likely", "There is No risk.", "anonymised", "is anonymous"]
)
def test_wrong_words_are_caught(sentence, tmp_path):
    path = tmp_path / "page.md"
    path.write_text(f"Title\n\n{sentence}\n")
    assert found(WRONG_WORDS, [path])[0].startswith("page.md:3: ")
