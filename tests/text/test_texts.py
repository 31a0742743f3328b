"""The texts: named gaps, one place each, and none that nobody says."""

from __future__ import annotations

import ast
import re
import string
from collections import Counter

import pytest

from dprisk import text
from dprisk.text import AREAS, HOMES, LANGUAGES, fill, language, spoken, texts
from tests.house.tree import SOURCE

ALL = {key: said for area in AREAS for key, said in texts("en", area).items()}


def gaps(said):
    """The names of what is filled in."""
    return [gap for _, gap, _, _ in string.Formatter().parse(said) if gap is not None]


@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.parametrize("area", AREAS)
def test_gaps_have_names(name, area):
    """Ready for translation: no gap without a name, no rest of a format."""
    for key, said in texts(name, area).items():
        for _, gap, spec, conversion in string.Formatter().parse(said):
            assert gap is None or gap.isidentifier(), key
            assert not spec and not conversion, key


@pytest.mark.parametrize("area", AREAS)
def test_a_key_names_its_area(area):
    for key in texts("en", area):
        first = key.partition(".")[0]
        named = first if first in AREAS else "explain"
        assert HOMES.get(named, (named,)) == HOMES.get(area, (area,)), key


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_key_is_written_once(name):
    """Of two equal keys one would silently speak for the other."""
    paths = [p for p in (SOURCE / "text" / name).rglob("*.py") if p.stem != "page"]  # of its own
    trees = [ast.parse(path.read_text("utf-8")) for path in paths]
    dicts = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Dict)]
    keys = [key.value for each in dicts for key in each.keys if isinstance(key, ast.Constant)]
    assert [key for key, times in Counter(keys).items() if times > 1] == []


KEY = re.compile(r"[a-z0-9_.-]+")


def keys_in(tree):
    """Every string of a module that may be a key; what an f-string fills in may be anything."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if KEY.fullmatch(node.value):
                yield re.escape(node.value)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "heads":
            area, *names = node.args
            for each in names:
                known = re.escape(each.value) if isinstance(each, ast.Constant) else "[a-z0-9_-]+"
                yield re.escape(f"{area.value}.") + known
        elif isinstance(node, ast.BinOp) and isinstance(node.left, ast.Constant):
            if isinstance(node.left.value, str) and KEY.fullmatch(node.left.value):
                yield re.escape(node.left.value) + "[a-z0-9_-]+"
        elif isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else None for part in node.values]
            if "." in "".join(filter(None, parts)) and all(KEY.fullmatch(p) for p in parts if p):
                yield "".join(re.escape(p) if p else "[A-Za-z0-9_. -]+" for p in parts)


def _named(paths, areas):
    """A pattern of the keys that these files may say."""
    named = {key for path in paths for key in keys_in(ast.parse(path.read_text("utf-8")))}
    if areas:
        named = {key for key in named if re.match(rf"(?:{'|'.join(areas)})\\?\.", key)}
    return re.compile("|".join(sorted(named)) or "(?!)")


def _said_on_pages():
    """A pattern of the keys that templates and the page's script say."""
    found = {"(?!)"}
    for path in SOURCE.rglob("templates/*.j2"):
        found |= {
            re.escape(key)
            for key in re.findall(r"""["'](\w+(?:\.[\w-]+)+)["']""", path.read_text())
        }
        found |= {
            re.escape(start) + "[a-z0-9_-]+"
            for start in re.findall(r"""["'](\w+(?:\.[\w-]+)*\.)["'] ~""", path.read_text())
        }
    scripts = "".join(path.read_text("utf-8") for path in sorted(SOURCE.glob("page/*.js")))
    for key in re.findall(r"""(?:say|shown)\(\s*["`]([^"`]+)["`]""", scripts):
        found.add(r"page\." + re.sub(r"\\\$\\\{.*?\\\}", "[a-z-]+", re.escape(key)))
    return re.compile("|".join(sorted(found)))


def test_no_text_is_dead():
    """The code names each, or its form without a register, what is wrong, or rows for people."""
    paths = [p for p in SOURCE.rglob("*.py") if p.parent.parent.name != "text"]
    here = [p for p in paths if SOURCE / "documents" in p.parents]
    explaining = _named([*here, *SOURCE.glob("*/words.py"), SOURCE / "text" / "rounding.py"], ())
    others = _named(paths, [area for area in AREAS if area != "explain"])
    pages = _said_on_pages()
    stems = {key: re.sub(r"\.(?:plain|full|formal|fix|people)$", "", key) for key in ALL}
    dead = [
        key
        for key in ALL
        if not any(p.fullmatch(k) for p in (explaining, others, pages) for k in (stems[key], key))
    ]
    assert dead == []
    assert not explaining.fullmatch("with.nobody")


def test_every_text_that_is_asked_for_by_its_whole_key_is_there():
    """A key that is put together as the code runs is left to the tests of what it says."""
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            key = node.args[0]
            if name == "unreadable":
                key = node.args[1]
            alone = name in ("refused", "unreadable") or (name == "fill" and len(node.args) == 1)
            method = isinstance(node.func, ast.Attribute)
            if alone and not method and isinstance(key, ast.Constant):
                assert text.has(key.value) or text.has(key.value, "plain"), (path, key.value)


def test_a_language_is_spoken_inside_only():
    assert spoken() == "en"
    with language("de"):
        assert spoken() == "de"
        with language("en"):
            assert spoken() == "en"
        assert spoken() == "de"
    assert spoken() == "en"


def test_what_is_not_translated_is_said_in_english():
    key = "audited.size"
    assert key not in texts("de", "explain")
    with language("de"):
        assert fill(key, datasets=2, outputs=3) == "2 datasets, 3 outputs."


def test_a_whole_number_has_its_thousands_apart():
    assert text.count(1234567) == "1,234,567"
    with language("de"):
        assert text.count(1234567) == "1.234.567"
        assert text.decimal("0.25") == "0,25"
