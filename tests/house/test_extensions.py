"""Each of the seven extensions is one new file and one line in a list; words come on top."""

from __future__ import annotations

import difflib
import functools
import json
import math
import shutil
import subprocess
import sys
from typing import NamedTuple

import pytest

from tests.house.tree import SOURCE

COMMAND = '''
"""``dprisk doubled``: a word, twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dprisk._asking import parameters as take
from dprisk._asking.parameters import Inquiry, arg, table


@table
class Doubled(Inquiry):
    """Say it twice."""

    example = "dprisk doubled a"
    what: take.SomeWord = arg("What is said.", "")

    def answer(self) -> dict[str, str]:
        return {"what": self.what}

    def brief(self, made: dict[str, str]) -> Iterable[str]:
        return [made["what"]]

    def document(self, made: dict[str, str]) -> Iterator[str]:
        yield made["what"] * 2
'''
FILE_FORMAT = '''
"""A name and its epsilon."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dprisk.releases import model
from dprisk.releases.release import Release


def recognizes(tree: Mapping[str, Any]) -> bool:
    return "brief" in tree


def read(tree: Mapping[str, Any], path: str) -> Release:
    given = {"unit": "person", "period": "once", "neighbors": "add-remove", "model": "central"}
    promise = {"epsilon": tree["epsilon"]}
    said = {"dprisk": 1, "name": tree["brief"], **given, "guarantees": [promise]}
    return model.read(said, path)
'''
RISK_MEASURE = '''
"""How many bits an adversary learns at most."""

from __future__ import annotations

import numpy as np

from dprisk.guarantees.base import Guarantee


def bits(guarantee: Guarantee, prior: float) -> float:
    odds = np.exp(guarantee.epsilon(0.0).value)
    return float(np.log2(odds / (1.0 - prior + prior * odds)))
'''
SECTION = '''
"""A page of one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dprisk.documents.document import Section, Sentence

if TYPE_CHECKING:
    from dprisk.documents.reporting import Report


def closing(report: Report) -> Section | None:
    return Section("Closing", (Sentence(f"About {report.release.name}."),))
'''
DUTCH = '"""Dutch."""\n\nTEXTS = {"summary.page.title": "{name}: het risico op een bladzijde"}\n'
RELEASE = """
dprisk: 1
name: Town
unit: person
period: once
neighbors: add-remove
model: central
mechanisms: [{kind: other-laplace, scale: 1, sensitivity: 1, bound: 10}]
"""


def renamed(module, *names):
    """A module of the package under other names."""
    text = (SOURCE / module).read_text(encoding="utf-8")
    for old, new in names:
        assert old in text
        text = text.replace(old, new)
    return text


class Extension(NamedTuple):
    """A new file with its text, and a list with its new line, after or instead of another."""

    file: str
    text: str
    listed: str
    line: str
    after: str | None = None
    instead: str | None = None
    words: tuple[str, str] | None = None


EXTENSIONS = {
    "a definition": Extension(
        "guarantees/second.py",
        renamed(
            "guarantees/laplace.py", ("LaplaceDP", "SecondLaplaceDP"), ('"laplace"', '"second"')
        ),
        "guarantees/__init__.pyi",
        "from .second import SecondLaplaceDP as SecondLaplaceDP",
        after="from .laplace import LaplaceDP as LaplaceDP",
    ),
    "a mechanism": Extension(
        "mechanisms/other.py",
        renamed(
            "mechanisms/laplace.py",
            ("TruncatedLaplace", "OtherLaplace"),
            ('"truncated-laplace"', '"other-laplace"'),
        ),
        "mechanisms/__init__.pyi",
        "from .other import OtherLaplace as OtherLaplace",
        after="from .sample_release import SampleRelease as SampleRelease",
    ),
    "a command": Extension(
        "cli/doubled.py",
        COMMAND,
        "cli/commands.py",
        '    "doubled": "cli.doubled:Doubled",',
        after='    "deployments": "cli.pages:AskDeployments",',
    ),
    "a file format": Extension(
        "releases/brief.py",
        FILE_FORMAT,
        "releases/files.py",
        'FORMATS = ("model", "registry", "brief")',
        instead='FORMATS = ("model", "registry")',
    ),
    "a risk measure": Extension(
        "risk/information.py",
        RISK_MEASURE,
        "risk/__init__.pyi",
        "from .information import bits as bits",
        after="from .tests import attack as attack",
    ),
    "a section of the report": Extension(
        "documents/ending.py",
        SECTION,
        "documents/summary.py",
        '    "ending:closing",',
        after='    "grounds:signed",',
    ),
    "a language": Extension(
        "text/nl/labels.py",
        DUTCH,
        "text/__init__.py",
        'Language = Literal["en", "de", "nl"]',
        instead='Language = Literal["en", "de"]',
        words=("text/en/page.py", 'TEXTS["page.language.nl"] = "Nederlands"'),
    ),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """With a copy of the package in which all seven additions were made, and two releases."""
    folder = tmp_path_factory.mktemp("extended")
    package = folder / "dprisk"
    shutil.copytree(SOURCE, package, ignore=shutil.ignore_patterns("__pycache__"))
    for each in EXTENSIONS.values():
        (package / each.file).parent.mkdir(exist_ok=True)
        (package / each.file).write_text(each.text, encoding="utf-8")
        text, known = (
            (package / each.listed).read_text(encoding="utf-8"),
            each.after or each.instead,
        )
        assert f"\n{text}".count(f"\n{known}\n") == 1
        new = each.line if each.instead else f"{each.after}\n{each.line}"
        (package / each.listed).write_text(text.replace(known, new), encoding="utf-8")
        if each.words is not None:
            place, words = each.words
            with (package / place).open("a", encoding="utf-8") as file:
                file.write(f"{words}\n")
    (folder / "town.yaml").write_text(RELEASE, encoding="utf-8")
    (folder / "brief.yaml").write_text("brief: Village\nepsilon: 0.5\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def python(folder):
    """Call Python with the extended package: what it prints."""

    def run(*words):
        asked = [sys.executable, *words]
        done = subprocess.run(asked, cwd=folder, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    return run


@pytest.fixture(scope="module")
def dprisk(python):
    """Call the extended command line: what it prints."""
    return functools.partial(python, "-m", "dprisk")


@pytest.mark.parametrize("what", EXTENSIONS)
def test_an_extension_is_one_line_in_one_list(folder, what):
    listed = EXTENSIONS[what].listed
    before, after = (
        (here / listed).read_text(encoding="utf-8") for here in (SOURCE, folder / "dprisk")
    )
    compared = difflib.ndiff(before.splitlines(), after.splitlines())
    assert [line for line in compared if line.startswith("+ ")] == [f"+ {EXTENSIONS[what].line}"]


def test_a_definition_is_served_by_commands(dprisk):
    promised = ("--definition", "second", "--mu", "1", "--neighbors", "add-remove")
    known = ("--definition", "laplace", "--mu", "1", "--neighbors", "add-remove")
    for command in ("assess", "power"):
        found, expected = (dprisk(command, *each, "--json") for each in (promised, known))
        assert (
            found.replace("SecondLaplaceDP", "LaplaceDP").replace('"second"', '"laplace"')
            == expected
        )
    assert "second with μ = 1" in dprisk("explain", *promised, "--audience", "researcher")


def test_a_mechanism_is_known_to_files_and_reports(dprisk):
    assert "at most 24 in 100" in dprisk("assess", "town.yaml").replace("\n", " ")


def test_a_command_has_help_and_options(dprisk):
    assert dprisk("doubled", "ab").strip() == "abab"
    assert json.loads(dprisk("doubled", "ab", "--json")) == {"what": "ab"}
    assert "Say it twice." in dprisk("--help")


def test_a_file_format_is_recognized(dprisk):
    assert dprisk("assess", "brief.yaml").startswith("Village")


def test_a_risk_measure_is_answered_by_every_guarantee(python):
    asked = (
        "from dprisk import PureDP; from dprisk.risk import bits;"
        "print(*(bits(PureDP(e, neighbors='add-remove'), 0.5) for e in (1, 0)))"
    )
    pure, nothing = map(float, python("-c", asked).split())
    assert pure == pytest.approx(math.log2(2 / (1 + math.exp(-1)))) and nothing == 0


def test_a_section_is_in_every_form_of_the_report(dprisk, folder):
    for form in ("md", "html"):
        dprisk("report", "brief.yaml", "-o", f"report.{form}")
        text = (folder / f"report.{form}").read_text(encoding="utf-8")
        assert "Closing" in text and "About Village." in text


def test_a_language_says_what_it_can_and_the_rest_in_english(dprisk, folder):
    dprisk("report", "brief.yaml", "--summary", "--language", "nl", "-o", "one.html")
    page = (folder / "one.html").read_text(encoding="utf-8")
    assert "Village: het risico op een bladzijde" in page and "What was released" in page
    assert "en or de or nl" in " ".join(dprisk("explain", "--help").split())
    dprisk("page", "-o", "page.html")
    assert "Nederlands" in (folder / "page.html").read_text(encoding="utf-8")
