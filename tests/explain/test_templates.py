"""The templates: named gaps, and none that nobody says."""

from __future__ import annotations

import ast
import inspect
import re
import string

from dprisk.explain import templates
from dprisk.explain.templates import TEXTS
from tests.house.tree import SOURCE


def test_templates_have_names_in_their_gaps():
    """Ready for translation: no gap without a name, no rest of a format."""
    for key, text in TEXTS.items():
        for _, gap, spec, conversion in string.Formatter().parse(text):
            assert gap is None or gap.isidentifier(), key
            assert not spec and not conversion, key


def test_no_key_is_in_two_files():
    """One would silently speak for the other."""
    files = [module for module in vars(templates).values() if inspect.ismodule(module)]
    texts = [getattr(module, name) for module in files for name in module.__all__]
    assert sum(map(len, texts)) == len(TEXTS) == len(set().union(*texts))


KEY = re.compile(r"[a-z_.-]+")


def keys_in(tree):
    """Every string of a module that may be a key; what an f-string fills in may be anything."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if KEY.fullmatch(node.value):
                yield re.escape(node.value)
        elif isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else None for part in node.values]
            if "." in "".join(filter(None, parts)) and all(KEY.fullmatch(p) for p in parts if p):
                yield "".join(re.escape(p) if p else "[a-z_.-]+" for p in parts)


def test_no_template_is_dead():
    """The code names each, with or without its register."""
    paths = [p for p in (SOURCE / "explain").rglob("*.py") if p.parent.name != "templates"]
    named = {key for path in paths for key in keys_in(ast.parse(path.read_text("utf-8")))}
    pattern = re.compile("|".join(sorted(named)))
    stems = {key: re.sub(r"\.(?:plain|full|formal)$", "", key) for key in TEXTS}
    dead = [
        key for key in TEXTS if not pattern.fullmatch(stems[key]) and not pattern.fullmatch(key)
    ]
    assert dead == []
    assert not pattern.fullmatch("with.nobody")
