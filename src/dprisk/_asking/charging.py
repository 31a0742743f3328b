"""Releases that are charged to accounts of a ledger: which one, which accounts, and by whom."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dprisk._asking import parameters as take
from dprisk._asking import reading
from dprisk._asking.options import Subject, in_file
from dprisk._asking.parameters import arg, opt, table

if TYPE_CHECKING:
    from dprisk.ledger.book import Ledger
    from dprisk.ledger.charges import ChargeRequest
    from dprisk.releases.release import Described


@table
class LedgerPlace:
    """The place of a ledger."""

    place: take.SomeLedger = arg("The ledger: a file, or the URL of a PostgreSQL database.")

    def opened(self) -> Ledger:
        """The ledger, open."""
        from dprisk.ledger import Ledger

        return Ledger.open(self.place)

    @property
    def shown(self) -> str:
        """The place without the password of a URL."""
        from dprisk.ledger.store.places import Location

        return Location.of(self.place).shown


@table
class Writer:
    """The person who makes an entry."""

    by: take.Text = opt(
        "Name of the person who makes this entry. Default: the user who is logged in."
    )

    @property
    def name(self) -> str:
        """The name that was given, or that of whoever is logged in."""
        import getpass

        try:
            return self.by or getpass.getuser()
        except (KeyError, OSError):
            raise reading.unclear("Nobody is logged in here. Say who does it with --by.") from None


@table
class ReachOptions:
    """How a release reaches the unit of an account."""

    over: take.Number = opt(
        "To go from user-day to user: the largest number of releases like this one that contain "
        "one person's data, each for a different day (week, ...)."
    )
    group: take.Number = opt(
        "How many units of the release belong to one unit of the account, at most, such as 3."
    )


@table
class Charged:
    """Which accounts a release touches, and how it reaches their unit."""

    account: take.Accounts = opt(
        "The account to charge. Repeatable: the release is charged to all of them or to none.",
        None,
        *("--account", "-a"),
    )
    reach: ReachOptions = ReachOptions()
    source: take.SomeText = opt("The tool or the person that reports the release.", "")

    def request(self, release: Described, key: str = "") -> ChargeRequest:
        """The request for one release."""
        from dprisk.ledger import ChargeRequest

        numbers = {
            name: None if text is None else reading.whole_number(f"--{name}", text)
            for name, text in vars(self.reach).items()
        }
        return ChargeRequest(release, self.account or (), key, self.source, **numbers)


@table
class Released:
    """A release that is charged: a file, or numbers that are typed in."""

    subject: Subject = Subject()
    allocation: take.File = opt(
        "Charge the tables of an allocation: census2020, dhc2020, or a file as for dprisk "
        "allocation."
    )
    key: take.SomeKey = opt(
        "A key of your own. If you use the same key twice, the release is charged once. Default: "
        "a new key.",
        "",
    )
    title: take.Text = opt(
        "What is released, if you type numbers instead of a file.", None, "--name"
    )
    charged: Charged = Charged()

    def request(self, example: str) -> ChargeRequest:
        """The request; a file is kept as it is written."""
        subject = self.subject
        if self.allocation is not None:
            return self._allocated(self.allocation)
        if not subject.typed and subject.what and len(subject.what) == 1:
            in_file({"--name": self.title})
            return self.charged.request(subject.what[0], self.key)
        from dprisk.ledger.charges import name_release

        release = subject.release(example)
        named = replace(release, name=self.title or name_release(release))
        return self.charged.request(named, self.key)

    def _allocated(self, allocation: str) -> ChargeRequest:
        """The request for all tables of an allocation."""
        from dprisk.allocation import read_allocation
        from dprisk.allocation.charging import as_release

        typed, files = self.subject.typed, self.subject.files
        if typed or files:
            given = (*typed, *files)[0]
            raise reading.unclear(
                f"{given} beside --allocation: each is a release of its own. Leave one out.",
                option="--allocation",
            )
        release = as_release(read_allocation(allocation))
        return self.charged.request(replace(release, name=self.title or release.name), self.key)
