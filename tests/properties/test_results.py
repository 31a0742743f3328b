"""Every result: short in a console, a table in a notebook, equal to its copies.

The public names are walked, so that a new class is either a result, with an example here, or is
listed as something that users write down themselves.
"""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import re
import sys
from collections.abc import Mapping
from doctest import DocTestParser
from functools import cache
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

from dprisk import Answer, ApproxDP, PureDP, audit, convert, papers, risk
from dprisk._values import SIDES, rounded
from dprisk.composition.basis import basis_of
from dprisk.documents import explain
from dprisk.documents.rendering import Document
from dprisk.mechanisms import RandomizedResponse
from dprisk.releases import Release
from dprisk.risk.small_world import RatioLaw
from dprisk.table import NumberTable
from tests.house.tree import is_own, public_objects

A: Any = {"neighbors": "add-remove"}
PROMISE = PureDP(1.0, **A)
PROMISE_RUN = RandomizedResponse(1.0, **A)
EVIL = "<script src='http://evil.example/x.js'>alert(1)</script>"
LONGEST = 300  # letters: three lines
COIN = [["3/4", "1/4"], ["1/4", "3/4"]]

WRITTEN = {
    "dprisk.composition.analysis.Analysis": "is asked instead of looked at",
    "dprisk.losses": "single losses: for those who extend the package",
    "dprisk.accountant": "as promises",
    "dprisk.guarantees": "promises: their repr is the call that makes them",
    "dprisk.mechanisms": "what is run: their repr is the call that makes them",
    "dprisk.errors": "errors speak in sentences",
    "dprisk.theorems.Theorem": "a reference",
    "dprisk.tables": "questions about tables, and counts of rows",
    "dprisk.ledger.accounts.Account": "what is opened",
    "dprisk.ledger.book.Ledger": "a database",
    "dprisk.ledger.charges.ChargeRequest": "a question",
    "dprisk.progress.Step": "a message",
    "dprisk.risk.adversary.Adversary": "a question",
    "dprisk.documents.reporting.Asked": "a question",
    "dprisk.documents.document.Labels": "who signs",
    "dprisk.releases.notes.Note": "a sentence",
    "dprisk.releases.computational.Computational": "an assumption",
    "dprisk.documents.explaining.Conclusion": "a claim, read",
    "dprisk.audit.growth.Growth": "a number: its repr is the call that makes it",
    "dprisk.papers.prints": "what is printed, from a list",
    "dprisk.budget.profile": "what is tolerated, and what makes it up",
    "dprisk.budget.boxes": "what is tolerated",
    "dprisk.budget.shapes": "what is tolerated",
    "dprisk.budget.solving.Solution": "what other results have in common",
    "dprisk.budget.informed": "what is tolerated",
    "dprisk.budget.limits": "what is tolerated",
}
"""Public classes and modules of them that are no results: someone writes these down."""

RESULTS = {
    name: thing
    for name, thing in public_objects().items()
    if inspect.isclass(thing)
    and name not in WRITTEN
    and name.rpartition(".")[0] not in WRITTEN
    and ".".join(name.split(".")[:2]) not in WRITTEN
} | {"dprisk.guarantees.convert.Converted": type(convert(PROMISE, ApproxDP, delta=0.1))}


@cache
def holders(cls):
    """The class, and every public class with a field that may hold one."""
    found = {cls.__name__}
    every = [each for each in public_objects().values() if dataclasses.is_dataclass(each)]
    while True:
        named = re.compile(rf"\b({'|'.join(sorted(found))})\b")
        more = {
            each.__name__
            for each in every
            if any(named.search(str(field.type)) for field in dataclasses.fields(each))
        }
        if more <= found:
            return named
        found |= more


def makers(cls):
    """The public classes and functions that may give one, by what they return."""
    named = holders(cls)
    for thing in public_objects().values():
        members = vars(thing).values() if inspect.isclass(thing) else [thing]
        functions = [each for each in members if inspect.isfunction(each)]
        returned = [str(each.__annotations__.get("return", "")) for each in functions]
        if thing is cls or any(named.search(each) for each in returned):
            yield thing


def values_in(thing):
    """All that the examples of a docstring name or show."""
    shown: list[Any] = []
    names: dict[str, Any] = {"print": lambda *values, **_: shown.extend(values)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "displayhook", shown.append)
        for example in DocTestParser().get_examples(inspect.getdoc(thing) or ""):
            exec(compile(example.source, thing.__name__, "single"), names)
    return [*shown, *(value for name, value in names.items() if name != "__builtins__")]


def inside(values):
    """The dataclasses of the package among some values, and whatever is inside them."""
    seen: set[int] = set()
    waiting = list(values)
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, Mapping):
            waiting += thing.values()
        elif isinstance(thing, list | tuple):
            waiting += thing
        elif dataclasses.is_dataclass(thing) and is_own(type(thing)):
            yield thing
            waiting += [getattr(thing, field.name) for field in dataclasses.fields(thing)]


@cache
def from_examples(thing):
    return list(inside(values_in(thing)))


@cache
def example(cls):
    """One of a class, from the examples in the docstrings of those that make it; None without."""
    found = (each for maker in makers(cls) for each in from_examples(maker))
    return next((each for each in found if type(each) is cls), None)


def said():
    """A sentence with numbers in it."""
    return next(s for part in explain(PROMISE).sections for s in part.sentences if s.numbers)


EXAMPLES = {
    "dprisk.composition.basis.Basis": lambda: basis_of(Release.of(PROMISE)),
    "dprisk.documents.document.Number": lambda: said().numbers[0],
    "dprisk.documents.document.Sentence": said,
    "dprisk.documents.rendering.Document": lambda: Document("A promise", explain(PROMISE).sections),
    "dprisk.table.NumberTable": lambda: NumberTable(("a",), ((1.0,),)),
    "dprisk.audit.findings.AuditFinding": lambda: audit.examine(COIN).lines[0],
    "dprisk.audit.claims.Claim": lambda: audit.Claim.of("epsilon=1, delta=0.1"),
    "dprisk.papers.pdp_witness.NoSeparation": lambda: papers.witness(1, 1e-6, not_pdp=(2, 1e-5)),
    "dprisk.risk.exact.ExactBounds": lambda: risk.exact_posterior(PROMISE_RUN.loss()).bounds(0.9),
    "dprisk.risk.small_world.SmallWorld": lambda: risk.enumerate_world(
        {("ill",): 0.1, ("well",): 0.9}, {("ill",): [0.75, 0.25], ("well",): [0.25, 0.75]}
    ),
    "dprisk.risk.small_world.RatioLaw": lambda: RatioLaw(
        np.array([0.5, 2.0]), np.array([0.5, 0.5])
    ),
}
"""Those that no docstring shows."""


class Read(HTMLParser):
    """What a page holds: its tags, what they point to, and its text."""

    def __init__(self):
        HTMLParser.__init__(self)
        self.tags, self.attributes, self.open, self.text = set(), [], [], ""

    def handle_starttag(self, tag, attrs):
        """Open."""
        self.tags.add(tag)
        self.attributes += attrs
        self.open.append(tag)

    def handle_endtag(self, tag):
        """Close what was opened last."""
        assert self.open.pop() == tag

    def handle_data(self, data):
        """Text."""
        self.text += data


def read(page):
    reader = Read()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


def one(name):
    made = EXAMPLES[name]() if name in EXAMPLES else example(RESULTS[name])
    assert made is not None, f"no docstring shows a {name}: add an example to EXAMPLES"
    return made


@pytest.mark.parametrize("name", RESULTS)
def test_copies_are_equal(name):
    made = one(name)
    for other in (copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert other == made and hash(other) == hash(made)
    assert made != "something else"


@pytest.mark.parametrize("name", RESULTS)
def test_a_change_is_noticed(name):
    """Not everything is equal: a copy with one field changed is another."""
    made = one(name)
    fields = [field for field in dataclasses.fields(made) if field.compare]
    assert fields
    for field in fields:
        other = copy.copy(made)
        object.__setattr__(other, field.name, EVIL)
        assert other != made


@pytest.mark.parametrize("name", RESULTS)
def test_a_short_repr(name):
    said = repr(one(name))
    assert type(one(name)).__name__ in said
    assert len(said) <= LONGEST and said.count("\n") < 3 and "\x00" not in said


@pytest.mark.parametrize("name", RESULTS)
def test_nothing_that_a_terminal_obeys(name):
    """Text from a file does not move the cursor, start a line or turn letters round."""
    made = copy.copy(one(name))
    for field in dataclasses.fields(made):
        held = getattr(made, field.name)
        if field.type in ("str", "str | None") and isinstance(held, str):
            object.__setattr__(made, field.name, "red \x1b[31m\nnext \u202e turned")
    assert repr(made).isprintable()


@pytest.mark.parametrize("name", RESULTS)
def test_a_repr_says_in_which_direction_a_number_errs(name):
    """Wherever it shows one: in a field that is an end, or in an answer that is a bound."""
    made = one(name)
    if "__repr__" in inspect.getsource(type(made)):
        return  # it speaks for itself
    said = repr(made)
    for field in dataclasses.fields(made):
        held = getattr(made, field.name)
        side = SIDES.get(field.name) if isinstance(held, float | np.ndarray) else None
        if isinstance(held, Answer) and held.bound != "exact":
            side = "at most" if held.bound == "upper" else "at least"
        assert side is None or said.endswith("…>") or side in said


def test_ends_are_rounded_outwards():
    assert rounded(1.0 - 1e-12, "at most") == repr(1.0 - 1e-12)
    assert (rounded(0.12345649, "at most"), rounded(0.12345641, "at least")) == (
        "0.123457",
        "0.123456",
    )


@pytest.mark.parametrize("name", RESULTS)
def test_a_static_table(name):
    """Nothing in it runs or fetches, and what was given is escaped."""
    made = copy.copy(one(name))
    texts = [
        field.name
        for field in dataclasses.fields(made)
        if field.type in ("str", "str | None") and isinstance(getattr(made, field.name), str)
    ]
    for text in texts:
        object.__setattr__(made, text, EVIL)
    page = read(made._repr_html_())
    assert page.text.strip()
    assert not page.tags & {"script", "iframe", "img", "link", "object", "embed", "base", "form"}
    fetching = {"src", "srcset", "action", "data"}
    assert not [name for name, _ in page.attributes if name in fetching or name.startswith("on")]
    linked = [where for name, where in page.attributes if name == "href"]
    assert all(where.startswith("https://") for where in linked)  # fetched by nobody but a reader
