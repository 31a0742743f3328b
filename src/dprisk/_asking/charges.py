"""Releases that are charged to accounts of a ledger, and how a ledger's accounts are listed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, final

from dprisk._asking import options, reading
from dprisk._asking import parameters as shared
from dprisk._asking.options import Promise, Subject
from dprisk._asking.parameters import Given, Number, SomeText, Text, Word, opt

if TYPE_CHECKING:
    from dprisk.ledger.charges import ChargeRequest
    from dprisk.ledger.state import AccountStatus
    from dprisk.releases.release import Described


@final
@dataclass(frozen=True)
class ReachOptions:
    """How a release reaches the unit of an account."""

    over: Number = opt(
        "To go from user-day to user: the largest number of releases like this one that contain "
        "one person's data, each for a different day (week, ...)."
    )
    group: Number = opt(
        "How many units of the release belong to one unit of the account, at most, such as 3."
    )

    def numbers(self) -> dict[str, int | None]:
        """Both as whole numbers, where they are given."""
        return {
            name: None if text is None else reading.whole_number(f"--{name}", text)
            for name, text in vars(self).items()
        }


@final
@dataclass(frozen=True)
class Charged:
    """Which accounts a release touches, and how it reaches their unit."""

    account: Annotated[list[str] | None, "ACCOUNT"] = opt(
        "The account to charge. Repeatable: the release is charged to all of them or to none.",
        None,
        *("--account", "-a"),
    )
    reach: ReachOptions = ReachOptions()
    source: SomeText = opt("The tool or the person that reports the release.", "")

    def request(self, release: Described, key: str = "") -> ChargeRequest:
        """The request for one release."""
        from dprisk.ledger import ChargeRequest

        numbers: dict[str, Any] = self.reach.numbers()
        return ChargeRequest(release, self.account or (), key, self.source, **numbers)


@final
@dataclass(frozen=True)
class Released:
    """A release that is charged: a file, or numbers that are typed in."""

    what: Given = shared.what()
    promise: Promise = Promise()
    mechanism: Word = shared.mechanism()
    key: Annotated[str, "KEY"] = opt(
        "A key of your own. If you use the same key twice, the release is charged once. Default: "
        "a new key.",
        "",
    )
    title: Text = opt("What is released, if you type numbers instead of a file.", None, "--name")
    charged: Charged = Charged()

    def request(self, command: str) -> ChargeRequest:
        """The request; a file is kept as it is written."""
        subject = Subject(self.what, self.promise, self.mechanism)
        if not subject.typed and self.what and len(self.what) == 1:
            options.in_file({"--name": self.title})
            return self.charged.request(self.what[0], self.key)
        from dprisk.ledger.charges import name_release

        release = subject.release(command)
        named = replace(release, name=self.title or name_release(release))
        return self.charged.request(named, self.key)


def listed(each: AccountStatus) -> dict[str, Any]:
    """An account in a list: whose data it is about, and how much of its budget is spent."""
    account, share = each.account, each.standing.share
    said = {name: getattr(account, name) for name in ("name", "population", "unit", "period")}
    counted = sum(each.counts[state] for state in ("reserved", "released"))
    return {**said, "rule": account.rule, "charges": counted, "share": share and str(share)}
