"""Each number of ulps says beside it which roundings it counts."""

from __future__ import annotations

import ast
import io
import re
import tokenize

import pytest

from tests.house.tree import SOURCE

UNIT = {"ULP", "ROUND"}
"""Names of one rounding; a multiple of one is a count."""
COUNTED = re.compile(r"\b(?:ulps?|roundings?|rounded|counts as equal)\b", re.IGNORECASE)
"""What a count says; or that no bound rests on it."""


def units(node):
    """Whether an expression is one ulp: by its name, or as numpy says it."""
    return (isinstance(node, ast.Name) and node.id in UNIT) or (
        isinstance(node, ast.Attribute)
        and node.attr == "eps"
        and isinstance(node.value, ast.Call)
        and getattr(node.value.func, "attr", "") == "finfo"
    )


def multiples(statement):
    """Where in a statement a number of ulps stands: a product that holds a literal and an ulp."""
    for node in ast.walk(statement):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            inside = list(ast.walk(node))
            if any(map(units, inside)) and any(
                isinstance(leaf, ast.Constant) and isinstance(leaf.value, int | float)
                for leaf in inside
            ):
                yield node.lineno


def comments(text):
    """What the comments say, by line."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return {t.start[0]: t.string for t in tokens if t.type == tokenize.COMMENT}


def uncounted(text):
    """Lines with a number of ulps whose count nobody says: no comment, no docstring around it."""
    tree, said, lines = ast.parse(text), comments(text), text.splitlines()

    def beside(first, last):
        while first > 1 and lines[first - 2].strip().startswith("#"):
            first -= 1
        return any(COUNTED.search(said.get(n, "")) for n in range(first, last + 1))

    def walk(body, known):
        before = -1  # the last line of the statement before, where its count is said
        for i, node in enumerate(body):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                doc = ast.get_docstring(node) or ""
                is_function = isinstance(node, ast.FunctionDef)
                yield from walk(node.body, known or (is_function and bool(COUNTED.search(doc))))
                continue
            after = body[i + 1] if i + 1 < len(body) else None
            told = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
            known_here = known or (told and COUNTED.search(str(after.value.value)))
            inner = [getattr(node, name, []) for name in ("body", "orelse", "finalbody")]
            if any(inner):
                for block in inner:
                    yield from walk(block, known_here)
                head = [n for n in (getattr(node, "test", None), getattr(node, "iter", None)) if n]
                found = {line for part in head for line in multiples(part)}
                last = max((part.end_lineno for part in head), default=node.lineno)
            else:
                found, last = set(multiples(node)), node.end_lineno
            if (
                found
                and not known_here
                and not (before == node.lineno - 1 or beside(node.lineno, last))
            ):
                yield from sorted(found)
            else:
                before = last if found else -1

    yield from walk(tree.body, False)


def test_each_number_of_ulps_is_counted():
    found = [
        f"{path.relative_to(SOURCE)}:{line}"
        for path in sorted(SOURCE.rglob("*.py"))
        for line in uncounted(path.read_text("utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    "code",
    [
        "x = y * (1.0 + 4 * ULP)",
        "def f(x):\n    return 8.0 * ULP * abs(x)",
        "near = 4 * np.finfo(float).eps",
        "if x <= 2 * ULP * y:\n    pass",
        "off = ULP * (8.0 + len(x))",
    ],
)
def test_a_number_that_nobody_counts_is_found(code):
    assert list(uncounted(code))


@pytest.mark.parametrize(
    "code",
    [
        "x = y * (1.0 + 4 * ULP)  # two roundings, twice that",
        "# a product and a sum: two roundings\nx = 4 * ULP * (\n    abs(y))",
        'def f(x):\n    """Three roundings."""\n    return 8.0 * ULP * abs(x)',
        'NEAR = 8 * ULP\n"""Of a quotient of two: three roundings."""',
        "x = ULP * y",
        "while x:\n    # one rounding\n    y = 2 * ULP",
        "# one rounding each\nx = y * (1 - ULP * 2)\nz = y * (1 + ULP * 2)",
    ],
)
def test_one_that_is_counted_is_not(code):
    assert not list(uncounted(code))
