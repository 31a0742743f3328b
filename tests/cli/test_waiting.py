"""Every command that may take long gives a sign of life to whoever sits at a terminal."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from rich.status import Status

from dprisk.cli.commands import WHERE
from dprisk.cli.show import nested
from dprisk.progress import Step
from tests.cli.running import ADD_REMOVE, run, survey

LIMIT = ("--limit", "posterior=0.8", "--prior", "0.5")
COMMANDS = {
    "Assessing": ("assess",),
    "Climbing": ("ladder",),
    "Comparing": ("counterfactual",),
    "Composing": ("compose", "--delta", "1e-6"),
    "Counting": ("plan", *LIMIT),
    "Explaining": ("explain",),
    "Testing": ("power",),
    "Writing the report": ("report",),
}
ANSWERS = str(Path(__file__).parents[2] / "examples/mechanisms/answers.csv")
TABLE = (
    *(ANSWERS, "-o", "risk.parquet", "--force", "--epsilon", "1"),
    *(*ADD_REMOVE, "--output-column", "advantage"),
)
ALONE = {
    "budget": ("Searching", *LIMIT, *ADD_REMOVE, "--definition", "pure"),
    "deployments": ("Assessing",),
    "allocation": ("Composing", "census2020", "--concern", "race"),
    "audit": ("Checking", ANSWERS, "--claim", "epsilon=log(3)"),
    "check": ("Checking", "--rho", "0.1", *ADD_REMOVE, "--at-delta", "1e-6"),
    "witness": ("Searching", "--epsilon", "1", "--delta", "1e-6", "--not-pdp", "1.1,1e-5"),
    "convert": (
        "Converting",
        "--rho",
        "0.1",
        "--delta",
        "1e-6",
        "--to",
        "approximate",
        *ADD_REMOVE,
    ),
    "schema": ("Reading the schema", "release"),
    "page": ("Assessing", "--force"),
    "reproduce": ("Computing", "P0/figure-2", "--no-figures", "--force"),
    "serve": ("Starting", "--no-browser"),
    "table": ("Reading the table", *TABLE),
}
WRITE = {"page", "reproduce", "table"}


class AtOnce:
    """A timer whose moment is over as soon as it starts."""

    daemon = False

    def __init__(self, moment, call):
        self.call = call

    def start(self):
        """Call."""
        self.call()

    def cancel(self):
        """Too late."""

    def join(self):
        """Done already."""


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr("dprisk.cli.show.Timer", AtOnce)


@pytest.mark.parametrize("says", COMMANDS)
def test_work_on_a_release_shows(at_once, tmp_path, says):
    command, *options = COMMANDS[says]
    file = survey(tmp_path)
    watched = run(command, file, *options, watched=True)
    assert says in watched.err
    alone = run(command, file, *options)
    assert (watched.out, watched.code) == (alone.out, 3 if command == "plan" else 0)
    assert run(command, file, *options).err == ""


def answered_at_once(settings, told):
    """A server that answers, from the task in which it is started, and ends."""

    async def start():
        told(f"http://{settings.host}/", None)

    asyncio.run(start())


@pytest.mark.parametrize("command", ALONE)
def test_work_without_a_release_shows(at_once, tmp_path, monkeypatch, command):
    monkeypatch.setattr("dprisk.web.running.run", answered_at_once)
    says, *options = ALONE[command]
    if command in WRITE:
        monkeypatch.chdir(tmp_path)
    watched = run(command, *options, watched=True)
    assert says in watched.err
    assert watched.code == 0
    assert run(command, *options).err == ""


def test_a_server_that_answers_no_longer_starts(at_once, monkeypatch):
    """The sign is over before the address is told."""
    ended, stop = [], Status.stop
    monkeypatch.setattr(Status, "stop", lambda status: ended.append(stop(status)))
    monkeypatch.setattr("dprisk.cli.pages.typer.echo", ended.append)
    monkeypatch.setattr("dprisk.web.running.run", answered_at_once)
    assert run("serve", "--no-browser", watched=True).code == 0
    at = ended.index("dprisk is at http://127.0.0.1/")
    assert at > 0


def test_work_on_a_ledger_shows(at_once, tmp_path):
    place = tmp_path / "office.ledger"
    assert run("ledger", "init", place, "--origin", "Office").code == 0
    assert "Computing everything again" in run("ledger", "verify", place, watched=True).err


def test_no_command_is_left_out():
    shown = {command for command, *_ in COMMANDS.values()} | set(ALONE) | {"ledger"}
    assert set(WHERE) == shown


def test_stages_inside_one_another():
    """A stage that is done, or goes on, ends what was inside it."""
    stages, shown = [], []
    for step in [
        ("items", 0, 2),
        ("blocks", 1, 2),
        ("blocks", 2, 2),
        ("grids", 1, 1),
        ("items", 1, 2),
        ("blocks", 1, 2),
        ("items", 2, 2),
        ("files", 1, 9),
    ]:
        stages = nested(stages, Step(*step))
        shown.append([stage.stage for stage in stages])
    assert shown == [
        ["items"],
        ["items", "blocks"],
        ["items", "blocks"],
        ["items", "grids"],
        ["items"],
        ["items", "blocks"],
        ["items"],
        ["files"],
    ]
