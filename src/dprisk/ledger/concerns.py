"""Single concerns in a ledger: what a change of some attributes of a record can move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple, final
from unicodedata import normalize

from dprisk._values import members, result
from dprisk.errors import InvalidInput, Meaningless, did_you_mean
from dprisk.ledger.accounts import Account, Amount, LimitReading
from dprisk.ledger.charges import Costs, costs, countable_parts
from dprisk.ledger.entries import Entry
from dprisk.ledger.rules import rule_of
from dprisk.ledger.state import FOR_PEOPLE, UNREADABLE, State, count_parts
from dprisk.releases.files import read_text_once, split_name
from dprisk.releases.release import Part, Release

if TYPE_CHECKING:
    from dprisk.ledger.book import Ledger

OF_FILTERS: Final = ("delta", "orders", "shape", "cap", "within", "share")
"""Numbers of an account that one without a filter has not."""


@final
@result
@dataclass(frozen=True, repr=False)
class ConcernStatus:
    """Bounds on what the releases can have shown about some attributes. Made by `concerned`."""

    concerns: tuple[str, ...]  # a change in any of them
    readings: tuple[LimitReading, ...]  # at most, if no charge depended on earlier results
    amounts: tuple[Amount, ...]  # of what adds up in a filter, by this concern alone
    share: Fraction | None  # of the cap that is spent on it; None by the rule fixed
    touching: int  # how many charges have such parts, stated or not. [0, inf)
    unstated: int  # how many of these do not say which attributes they depend on. [0, inf)
    invariants: tuple[str, ...]  # published without noise, each once: outside all readings

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        share = None if self.share is None else str(self.share)
        return members(self, *(field.name for field in fields(self))) | {"share": share}


def concerned(book: Ledger, name: str, concerns: Sequence[str]) -> tuple[ConcernStatus, ...]:
    """Status of an account for each of some attributes, and for all of them together.

    Parameters
    ----------
    book : Ledger
        Open.
    name : str
        The account, which is about replace-one neighbors.
    concerns : sequence of str
        Attributes that some charge names. A part of a release that does not say which attributes
        it depends on may depend on any of them.

    Returns
    -------
    tuple of ConcernStatus
        With the certified numbers: at most.

    Raises
    ------
    InvalidInput
        If there is no such account, or no charge names such an attribute.
    Meaningless
        If the account is about add-remove neighbors, or no charge names any attribute.

    References
    ----------
    .. [1] P1, Section 8.
    """
    account = book.state().known(name)
    if account.neighbors != "replace-one":
        raise Meaningless(
            "Under add-remove neighbors a whole record comes or goes, and every result that "
            "depends on it can change, whatever the attribute.",
            "Ask about single attributes in an account for replace-one neighbors.",
        )
    book.history()  # reads all of it
    counted = list(_counted(book.state(), book.store.read(0), account))
    _check_named(concerns, {each for one in counted for each in _attributes(one.release)})
    unions: list[tuple[str, ...]] = [(each,) for each in concerns]
    unions += [tuple(concerns)] if len(concerns) > 1 else []
    return tuple(_status(account, counted, union) for union in unions)


class _Counted(NamedTuple):
    """A charge that counts, with its release where that can be read."""

    whole: Costs
    release: Release | None
    reach: Mapping[str, Any]


def _status(
    account: Account, counted: Iterable[_Counted], concerns: tuple[str, ...]
) -> ConcernStatus:
    asked = frozenset(map(_folded, concerns))
    spent, touching, unstated = Counter[str](), 0, 0
    for each in counted:
        cost = _cost(each, account, asked)
        spent.update(cost)
        touching += bool(cost)
        named = () if each.release is None else each.release.parts
        unstated += bool(cost) and all(part.attributes is None for part in named)
    parts = count_parts(spent, account)
    exact = (name for each in counted if each.release for name in each.release.invariants)
    without: Any = dict.fromkeys(OF_FILTERS)
    alone = replace(account, rule="fixed", **without)
    readings = rule_of(alone).standing(parts, None).readings if account.limits else ()
    known = rule_of(account).standing(parts, None)
    return ConcernStatus(
        concerns,
        readings,
        known.amounts,
        known.share,
        touching,
        unstated,
        tuple(dict.fromkeys(exact)),
    )


def _counted(state: State, entries: Iterable[Entry], account: Account) -> Iterator[_Counted]:
    for entry in entries:
        charge = state.charges.get(str(entry.key)) if entry.kind == "reserved" else None
        if charge is None or charge.seq != entry.seq or charge.status == "voided":
            continue
        if account.name in charge.costs:
            reach = {name: entry.content[name] for name in ("over", "group")}
            release = _release(entry.content["release"])
            yield _Counted(charge.costs[account.name], release, reach)


def _release(written: Mapping[str, str]) -> Release | None:
    if written["text"].startswith(FOR_PEOPLE):
        return None
    try:
        return read_text_once(split_name(written["text"])[1], written["file"])
    except UNREADABLE:  # named by its number elsewhere; its costs are as recorded
        return None


def _cost(each: _Counted, account: Account, asked: frozenset[str]) -> Costs:
    """Cost of a charge for some attributes; all of it where its release says something else."""
    if each.release is None or costs(each.release, account, **each.reach) != each.whole:
        return each.whole
    parts, counted = each.release.parts, countable_parts(account, each.release)
    if counted != parts:  # a statement about the whole counts for whatever any part depends on
        return each.whole if any(_touches(one, asked) for one in (*parts, *counted)) else Counter()
    return costs(each.release, account, **each.reach, counts=lambda part: _touches(part, asked))


def _touches(part: Part, asked: frozenset[str]) -> bool:
    return part.attributes is None or not asked.isdisjoint(map(_folded, part.attributes))


def _folded(name: str) -> str:
    """One spelling of a name, whatever its case, its spaces and how its letters are encoded."""
    return " ".join(normalize("NFKC", normalize("NFKC", name).casefold()).split())


def _attributes(release: Release | None) -> Iterator[str]:
    for part in () if release is None else release.parts:
        yield from part.attributes or ()


def _check_named(concerns: Iterable[str], named: set[str]) -> None:
    """Refuse attributes that no part names: nothing would seem to touch what is misspelled."""
    if not named:
        raise Meaningless(
            "No charge of this account says which attributes its results depend on, so a change "
            "of any attribute can move all of them.",
            "List them as `attributes` under each part of a release file, or charge an allocation.",
        )
    folded = set(map(_folded, named))
    for concern in concerns:
        if _folded(concern) not in folded:
            fix = did_you_mean(concern, named) or f"They name {', '.join(sorted(named))}."
            raise InvalidInput("concern", concern, "an attribute that some charge names", fix)
