"""``dprisk ledger``: what was released so far, and what a person can have lost to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from dprisk._asking import options, reading
from dprisk._asking.options import (
    FILE,
    NUMBER,
    TEXT,
    WORD,
    LimitOptions,
    Promise,
    Subject,
    Text,
    Texts,
    argument,
    option,
)
from dprisk._asking.reading import unclear
from dprisk.cli import show
from dprisk.cli.groups import flat
from dprisk.cli.output import Output
from dprisk.cli.waiting import waiting
from dprisk.text import fill
from dprisk.text.rounding import at_most

if TYPE_CHECKING:
    from dprisk.ledger.book import Ledger
    from dprisk.ledger.charges import Charge
    from dprisk.ledger.requests import ChargeRequest
    from dprisk.ledger.status import AccountStatus, PlannedCharge
    from dprisk.releases.release import Described


ledger = typer.Typer(no_args_is_help=True, rich_markup_mode=None)

LEDGER, ACCOUNT, KEY, FOLDER = "LEDGER", "ACCOUNT", "KEY", "FOLDER"

Place = Annotated[str, argument("help.ledger.place", LEDGER)]
Name = Annotated[str, argument("help.ledger.name", ACCOUNT)]
Key = Annotated[str, argument("help.ledger.key", KEY)]
By = Annotated[Text, option("help.ledger.by", TEXT, "--by")]
Note = Annotated[str, option("help.ledger.note", FILE, "--output", "-o")]
Out = Annotated[str, option("help.ledger.out", FOLDER, "--output", "-o")]


class Charged(NamedTuple):
    """Which accounts a release touches, and how it reaches their unit."""

    account: Annotated[Texts, option("help.ledger.charged", ACCOUNT, "--account", "-a")] = None
    over: Annotated[Text, option("help.ledger.over", NUMBER)] = None
    group: Annotated[Text, option("help.ledger.group", NUMBER)] = None
    source: Annotated[str, option("help.ledger.source", TEXT)] = ""

    def asked(self, release: Described, key: str = "") -> ChargeRequest:
        """The request for one release."""
        from dprisk.ledger import ChargeRequest

        numbers = {"over": self.over, "group": self.group}
        reach = {
            name: None if text is None else reading.whole_number(f"--{name}", text)
            for name, text in numbers.items()
        }
        return ChargeRequest(release, self.account or (), key, self.source, **reach)


class Released(NamedTuple):
    """A release that is charged: a file, or numbers that are typed in."""

    what: Annotated[Texts, argument("help.option.what", options.FILE_OR_NUMBERS)] = None
    promise: Promise = Promise()
    mechanism: options.MechanismKind = None
    key: Annotated[str, option("help.ledger.new-key", KEY)] = ""
    title: Annotated[Text, option("help.ledger.title", TEXT, "--name")] = None
    charged: Charged = Charged()

    def asked(self, command: str) -> ChargeRequest:
        """The request; a file is kept as it is written."""
        subject = Subject(self.what, self.promise, self.mechanism)
        if not subject.typed and self.what and len(self.what) == 1:
            options.in_file({"--name": self.title})
            return self.charged.asked(self.what[0], self.key)
        from dprisk.ledger.charges import in_short

        release = subject.release(command)
        named = replace(release, name=self.title or in_short(release))
        return self.charged.asked(named, self.key)


def init(
    *,
    place: Place,
    origin: Annotated[str, option("help.ledger.origin", TEXT)],
    by: By = None,
    output: Output,
) -> None:
    """Begin a ledger."""
    from dprisk.ledger import Ledger

    with Ledger.create(place, origin=origin, by=_who(by)) as book:
        said = {"ledger": book.state().identity["ledger"], "origin": origin, "entries": 1}
    _say(output, said, [fill("cli.ledger.begun", origin=origin, place=_shown(place))])


def account(
    *,
    place: Place,
    name: Name,
    population: Annotated[str, option("help.ledger.population", TEXT)],
    period: Annotated[str, option("help.ledger.period", TEXT)],
    unit: Annotated[str, option("help.ledger.unit", TEXT)] = "person",
    neighbors: Annotated[str, option("help.option.neighbors", WORD)] = "add-remove",
    rule: Annotated[str, option("help.ledger.rule", WORD)] = "concentrated",
    limits: LimitOptions,
    profile: Annotated[Text, option("help.plan.profile", FILE)] = None,
    delta: Annotated[Text, option("help.ledger.delta", NUMBER)] = None,
    order: Annotated[Texts, option("help.ledger.order", NUMBER)] = None,
    shape: Annotated[Text, option("help.ledger.shape", FILE)] = None,
    within: Annotated[Text, option("help.ledger.within", ACCOUNT)] = None,
    share: Annotated[Text, option("help.ledger.share", NUMBER)] = None,
    by: By = None,
    output: Output,
) -> None:
    """Open an account."""
    from dprisk.ledger import Account
    from dprisk.ledger.charges import shape_of

    relation: Any = reading.related(neighbors)
    if "epsilon" not in reading.limits(limits.limit):
        options.moot("limits that are not on epsilon", {"--at-delta": limits.at_delta})
    made = Account(
        name=name,
        population=population,
        unit=unit,
        neighbors=relation,
        period=period,
        rule=rule,  # type: ignore[arg-type]
        limits=tuple(limits.tolerances(profile, relation)),
        delta=delta,
        orders=tuple(order) if order else None,
        shape=None if shape is None else shape_of(shape, relation),
        within=within,
        share=share,
    )
    with _opened(place) as book, waiting("count"):
        opened = book.account(made, by=_who(by))
    from dprisk.ledger.words import account_in_words

    _say(output, opened, account_in_words(opened))


def accounts(*, place: Place, output: Output) -> None:
    """List the accounts."""
    with _opened(place) as book, waiting("count"):
        made = [book.status(name) for name in book.state().accounts]
    names = [each.account.name for each in made] or [fill("ledger.page.empty")]
    output.show(
        [_listed(each) for each in made],
        lambda: show.lines(names, ""),
        lambda: _accounts(made) if made else show.lines(names, ""),
    )


def _listed(each: AccountStatus) -> dict[str, Any]:
    account, share = each.account, each.standing.share
    said = {name: getattr(account, name) for name in ("name", "population", "unit", "period")}
    counted = sum(each.counts[state] for state in ("reserved", "released"))
    return {**said, "rule": account.rule, "charges": counted, "share": share and str(share)}


def _accounts(made: list[AccountStatus]) -> None:
    columns = ("account", "population", "unit", "period", "rule", "charges", "share")
    rows = []
    for each in made:
        *said, share = _listed(each).values()
        spent = "" if share is None else f"{at_most(100.0 * float(Fraction(share)), 3)}%"
        rows.append([*map(str, said), spent])
    show.table([fill(f"cli.ledger.{column}") for column in columns], rows)


def reserve(*, place: Place, released: Released, by: By = None, output: Output) -> None:
    """Set aside what a release will cost."""
    _charge(place, released, by, output, "reserve")


def charge(*, place: Place, released: Released, by: By = None, output: Output) -> None:
    """Charge a release that is made at once."""
    _charge(place, released, by, output, "charge")


def _charge(place: str, released: Released, by: str | None, output: Output, command: str) -> None:
    with _opened(place) as book, waiting("count"):
        asked = released.asked(f"ledger.{command}")
        (made,) = book.charge_all([asked], by=_who(by), release=command == "charge")
    false = _contradicted(made)
    _say(output, made, [*false, _charged(made)], kept=not false)


def release(*, place: Place, key: Key, by: By = None, output: Output) -> None:
    """Say that what was reserved has been released."""
    with _opened(place) as book:
        made = book.release(key, by=_who(by))
    _say(output, made, [_charged(made)])


def void(
    *,
    place: Place,
    key: Key,
    reason: Annotated[str, option("help.ledger.reason", TEXT)],
    not_run: Annotated[bool, option("help.ledger.not-run", None, "--not-run")] = False,
    by: By = None,
    output: Output,
) -> None:
    """Record that what was reserved was not run."""
    with _opened(place) as book:
        made = book.void(key, by=_who(by), reason=reason, not_run=not_run)
    _say(output, made, [_charged(made)])


def status(
    *,
    place: Place,
    name: Name,
    figure: Annotated[Text, option("help.ledger.figure", FILE)] = None,
    force: options.Force = False,
    output: Output,
) -> None:
    """Say what a person can have lost so far, and what is left."""
    from dprisk.ledger import words

    with _opened(place) as book, waiting("count"):
        made = book.status(name)
    if figure is not None:
        from dprisk.plots import draw_spent, save

        save(draw_spent(made), figure, force=force)
    output.show(
        made,
        lambda: show.lines(words.status_in_words(made)[:2], ""),
        lambda: _status(made),
    )


def _status(made: Any) -> None:
    from dprisk.ledger import words

    show.lines([words.title(made)], "")
    typer.echo()
    show.lines(words.status_in_words(made), "")
    rows = words.rows(made)
    if rows:
        typer.echo()
        heads = [fill(f"cli.ledger.{column}") for column in ("limited", "now", "limit", "spent")]
        show.table([*heads, *show.columns("theorem")], rows)
    show.section("cli.ledger.amounts", words.amounts(made))
    show.section("cli.heading.assumed", words.assumptions(made))


def history(
    *,
    place: Place,
    name: Annotated[Text, argument("help.ledger.some-name", ACCOUNT)] = None,
    output: Output,
) -> None:
    """List the charges."""
    with _opened(place) as book:
        made = book.history(name)
    from dprisk.ledger.words import HISTORY, history_in_rows

    heads = [fill(f"cli.ledger.{column}") for column in HISTORY]
    output.show(
        made,
        lambda: show.lines([_charged(each) for each in made], ""),
        lambda: show.table(heads, history_in_rows(made, name)),
    )


def plan(
    *,
    place: Place,
    files: Annotated[list[str], argument("help.ledger.files", FILE)],
    charged: Charged,
    output: Output,
) -> None:
    """Say which of several future releases would fit."""
    with _opened(place) as book, waiting("count"):
        made = book.plan([charged.asked(file) for file in files])
    said = [line for each in made for line in (*_contradicted(each), _foreseen(each))]
    output.show(
        made,
        lambda: show.lines(said, ""),
        lambda: show.lines(said, ""),
        kept=all(each.kept and not each.contradicted for each in made),
    )


def _foreseen(each: PlannedCharge) -> str:
    return fill(f"cli.ledger.{'fits' if each.kept else 'breaks'}", name=each.name)


def verify(
    *,
    place: Place,
    checkpoint: Annotated[Text, option("help.ledger.against", FILE)] = None,
    key: Annotated[Text, option("help.ledger.public-key", FILE)] = None,
    replay: Annotated[bool, option("help.ledger.replay", None, "--replay")] = False,
    output: Output,
) -> None:
    """Compute everything again, and say what does not fit."""
    with _opened(place) as book, waiting("verify"):
        made = book.verify(checkpoint, public_key=key, replay=replay)
    whole = fill("cli.ledger.whole", size=made.size)
    said = [whole] if made.is_whole else [str(flaw) for flaw in made.flaws]
    output.show(
        made,
        lambda: show.lines(said, ""),
        lambda: show.lines(said, ""),
        kept=made.is_whole,
    )


def checkpoint(
    *,
    place: Place,
    out: Note,
    key: Annotated[Text, option("help.ledger.private-key", FILE)] = None,
    force: options.Force = False,
    output: Output,
) -> None:
    """Write down how far the ledger is, to be kept elsewhere."""
    with _opened(place) as book:
        made = book.checkpoint(out, key=key, force=force)
    said = {**made.to_dict(), "place": out}
    _say(output, said, [fill("cli.ledger.checkpoint", size=made.size, place=out)])


def export(*, place: Place, out: Out, output: Output) -> None:
    """Write everything into a directory of plain files."""
    with _opened(place) as book, waiting("verify"):
        book.export(out)
        size = book.state().size
    _say(output, {"entries": size, "directory": out}, [fill("cli.ledger.exported", place=out)])


def restore(
    *, folder: Annotated[str, argument("help.ledger.folder", FOLDER)], place: Place, output: Output
) -> None:
    """Rebuild a ledger from such a directory."""
    from dprisk.ledger import Ledger

    with waiting("verify"), Ledger.load(folder, place) as book:
        size = book.state().size
    said = [fill("cli.ledger.imported", size=size, place=_shown(place))]
    _say(output, {"entries": size, "place": _shown(place)}, said)


# --- what is common ------------------------------------------------------------------------------


def _opened(place: str) -> Ledger:
    from dprisk.ledger import Ledger

    return Ledger.open(place)


def _who(by: str | None) -> str:
    """Who acts: as said, or who is logged in."""
    if by:
        return by
    import getpass

    try:
        return getpass.getuser()
    except (KeyError, OSError):
        raise unclear("by") from None


def _shown(place: str) -> str:
    """A place without the password of a URL."""
    from dprisk.ledger.store.locations import Location

    return Location.of(place).shown


def _say(output: Output, made: Any, said: list[str], *, kept: bool = True) -> None:
    output.show(made, lambda: show.lines(said, ""), lambda: show.lines(said, ""), kept=kept)


def _contradicted(made: Charge | PlannedCharge) -> list[str]:
    """What the release cannot keep: it is counted by what was run."""
    from dprisk.documents.promises import cannot_keep

    return [cannot_keep(found, found.release) for found in made.contradicted]


def _charged(made: Charge) -> str:
    return fill(f"cli.ledger.{made.status}", name=made.name, key=made.key)


COMMANDS: dict[str, Callable[..., None]] = {
    "init": init,
    "account": account,
    "accounts": accounts,
    "reserve": reserve,
    "release": release,
    "void": void,
    "charge": charge,
    "status": status,
    "history": history,
    "plan": plan,
    "verify": verify,
    "checkpoint": checkpoint,
    "export": export,
    "import": restore,
}
for name_of, command in COMMANDS.items():
    said = fill(f"help.ledger.{name_of}")
    example = fill("help.example", example=fill(f"help.ledger.{name_of}.example"))
    ledger.command(name_of, help=said, short_help=said, epilog=example)(flat(command))
