"""A crash before every step of every command of a ledger, which is then given once more."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from dprisk import PureDP
from dprisk.budget import EpsilonLimit
from dprisk.errors import InvalidInput, LimitRefused
from dprisk.ledger import Account, ChargeRequest, Ledger
from torture.crashing import crashed

__all__ = ["COMMANDS", "LIMIT", "SCHOOL", "TOWN", "every_command"]

LIMIT = (EpsilonLimit(1.0, delta=0.0),)
TOWN = Account("town", "residents", "person", "add-remove", "2026", "pure", LIMIT)
SCHOOL = Account("school", "pupils", "person", "add-remove", "2026", "pure", LIMIT, within="town")
KEPT = {"a": "released", "b": "voided", "c": "released", "d": "released", "e": "released"}


def _request(key: str, epsilon: float = 0.125) -> ChargeRequest:
    return ChargeRequest(PureDP(epsilon, neighbors="add-remove"), "school", key=key)


def _init(where: str, folder: Path) -> None:
    with suppress(InvalidInput):  # it is there, since the crash came behind the commit
        Ledger.create(where, origin="example.org/torture", by="ann").close()


def _import(where: str, folder: Path) -> None:
    with suppress(InvalidInput):
        Ledger.load(folder / "export", folder / "again").close()


def _export(ledger: Ledger, folder: Path) -> None:
    if not (folder / "export" / "ledger.json").exists():
        shutil.rmtree(folder / "export", ignore_errors=True)
        ledger.export(folder / "export")


def _refuse(ledger: Ledger, folder: Path) -> None:
    with suppress(LimitRefused):
        ledger.charge_all([_request("large", 9.0)], by="ann")


WORK: dict[str, Callable[[Ledger, Path], object]] = {
    "account": lambda ledger, _: [ledger.account(each, by="ann") for each in (TOWN, SCHOOL)],
    "reserve": lambda ledger, _: [
        ledger.charge_all([_request(key)], by="ann", release=False) for key in "ab"
    ],
    "release": lambda ledger, _: ledger.release("a", by="ann"),
    "void": lambda ledger, _: ledger.void("b", by="ann", reason="never made", not_run=True),
    "charge": lambda ledger, _: ledger.charge_all([_request("c")], by="ann"),
    "charge several": lambda ledger, _: ledger.charge_all(map(_request, "de"), by="ann"),
    "refuse": _refuse,
    "status": lambda ledger, _: (ledger.status("town"), ledger.history()),
    "plan": lambda ledger, _: ledger.plan([_request("f")]),
    "checkpoint": lambda ledger, folder: ledger.checkpoint(folder / "note", force=True),
    "verify": lambda ledger, folder: ledger.verify(folder / "note", replay=True),
    "export": _export,
}


def _done(name: str, where: str, folder: Path) -> None:
    with Ledger.open(where) as ledger:
        WORK[name](ledger, folder)


COMMANDS: dict[str, Callable[[str, Path], None]] = {
    "init": _init,
    **{name: partial(_done, name) for name in WORK},
    "import": _import,
}


def every_command(where: str, folder: Path, each: int = 1) -> tuple[int, list[str]]:
    """How many crashes there were, before each so-manyth step, and what was wrong after any."""
    crashes, found = 0, []
    for name, command in COMMANDS.items():
        n = 0
        while crashed(partial(command, where, folder), n):
            crashes += 1
            if name != "init":
                found += [f"{name}, step {n}: {each}" for each in _wrong(where)]
            n += each
    found += _wrong(where, folder / "note")
    with Ledger.open(where) as ledger, Ledger.open(folder / "again") as again:
        if {charge.key: charge.status for charge in ledger.history()} != KEPT:
            found.append(f"what is charged: {ledger.history()}")
        found += [
            f"{name}: {status.standing.amounts[0].spent} is spent"
            for name in ("town", "school")
            if float((status := ledger.status(name)).standing.amounts[0].spent) != 0.5
        ]
        if again.store.read() != ledger.store.read():
            found.append("the import is another ledger")
    return crashes, found


def _wrong(where: str, note: Path | None = None) -> list[str]:
    with Ledger.open(where) as ledger:
        return [str(flaw) for flaw in ledger.verify(note, replay=True).flaws]
