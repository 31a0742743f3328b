"""How many more releases an account would let through: by its own rule, before it is opened."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, TypeAlias

from dprisk._checks import whole
from dprisk.answer import Answer
from dprisk.budget.counting import Fitting, Plan, parts_of, plan, subject_named
from dprisk.budget.limits import Limit, checked_limits
from dprisk.budget.search import Spent, Together
from dprisk.composition.basis import contradicted
from dprisk.errors import Meaningless, OutOfRange, refused
from dprisk.guarantees.base import Composed, Guarantee
from dprisk.ledger.accounts import DEFAULT_RULE, MOST, Account, Counts, RuleName, add_counts
from dprisk.ledger.charges import costs, countable_parts
from dprisk.ledger.parts import part_key, stated
from dprisk.ledger.rules import open_account, rule_of
from dprisk.ledger.state import count_parts
from dprisk.mechanisms.base import Mechanism
from dprisk.releases.release import Part, Release
from dprisk.text import english

OTHERS: Final[tuple[RuleName, ...]] = ("concentrated", "pure", "gaussian")
"""Rules that are shown beside the one that is asked for, where they can count what is released."""
Planned: TypeAlias = Guarantee | Mechanism | Release


def plan_by_rule(
    limits: Sequence[Limit],
    each: Planned,
    *,
    rule: RuleName = DEFAULT_RULE,
    done: int = 0,
    spent: Sequence[Planned] = (),
    delta: str | None = None,
) -> Plan:
    """How many more releases keep several limits, as an account of a ledger counts them.

    Parameters
    ----------
    limits : sequence of Limit
        At least one; all of them have to be kept.
    each : Guarantee, Mechanism or Release
        What is released each time.
    rule : {"concentrated", "pure", "approximate", "gaussian", "renyi", "fixed"}
        How releases add up, as in `Account`. All but the last are valid if a release depends on
        the results of earlier ones; ``fixed`` asks `dprisk.budget.plan`. The budget of ``renyi``
        has the shape of what is planned.
    done : int
        How many such releases there have been already. [0, 10^9]
    spent : sequence of Guarantee, Mechanism or Release
        What else has been released about the same people.
    delta : str, optional
        Most that the deltas of all releases may add up to, in decimal text, as in `Account`.
        [0, 1)

    Returns
    -------
    Plan
        As many as a new account lets through, and what is limited once its budget is spent,
        whatever is chosen along the way; other rules beside it that are as valid.

    Raises
    ------
    InvalidInput
        If there is no limit, `each` is something else, or a word is unknown.
    Meaningless
        If the rule cannot count a release, or nothing can be released within the limits.

    References
    ----------
    .. [1] dprisk, Proposition 23.

    Examples
    --------
    >>> from dprisk import PureDP, ZeroConcentratedDP
    >>> from dprisk.budget import InformedLimit
    >>> from dprisk.ledger import plan_by_rule
    >>> limit = InformedLimit("posterior", 0.8, prior=0.5)
    >>> tenth = PureDP(0.1, neighbors="add-remove")
    >>> for rule in ("concentrated", "pure", "fixed"):
    ...     made = plan_by_rule([limit], tenth, rule=rule)
    ...     print(rule, made.best.number, made.limits[0].confidence)
    concentrated 17 0.99
    pure 13 None
    fixed 13 None
    """
    if rule == "fixed":
        if delta is not None:
            raise refused("ledger.account.no-delta", "delta", delta, rule=rule)
        return plan(limits, each, done=done, spent=spent)
    asked, so_far = checked_limits(limits), whole("done", done, 0)
    neighbors = Release.of(each).neighbors
    account = Account("plan", "planned", "person", neighbors, "planned", rule, asked, delta=delta)
    one, gone = _counts(each, account), Counter[Part]()
    if rule == "renyi":  # its budget has the shape of what is planned
        shape = tuple((json.loads(part_key(part)), times) for part, times in one.items())
        account = replace(account, shape=shape)
    for other in spent:
        gone.update(_counts(other, account))
    gone.update({part: count * so_far for part, count in one.items() if so_far})
    if delta is None and rule in ("approximate", "concentrated"):
        _without_deltas({**gone, **one}, rule)
    before = [(part, count * so_far) for part, count in parts_of(each, False) if so_far]
    before += [pair for other in spent for pair in parts_of(other, False)]
    given = gone, one, parts_of(each, False), Together(spent=tuple(before))
    account = open_account(account)
    found = [_fitting(account, *given)]
    for name in OTHERS:
        if name != rule and (name != "gaussian" or _is_gaussian(one)):
            with suppress(Meaningless):  # it cannot count this, or nothing fits
                kept = delta if name == "concentrated" else None
                other_account = replace(account, rule=name, limits=asked, delta=kept, cap=None)
                found.append(_fitting(open_account(other_account), *given))
    subject = subject_named(each)
    return Plan(
        subject, account.limits, neighbors, so_far, tuple(found), rule, contradicted(each, *spent)
    )


def _is_gaussian(one: Counts) -> bool:
    """Whether every part is Gaussian already: converting others is slow."""
    return all(stated(part).kind == "gaussian" for part in one)


def _without_deltas(one: Counts, rule: RuleName) -> None:
    if any(stated(part).delta for part in one):
        raise Meaningless(
            f"The rule {rule} adds up the values of δ within a budget, which is not given.",
            "Give one with --delta-budget, such as 1e-5 (for an account: --delta).",
        )


def _counts(what: Planned, account: Account) -> Counter[Part]:
    """The parts of one release, as they would be charged; whose data it is, is not asked."""
    release = replace(Release.of(what), unit=account.unit)
    counted = countable_parts(account, release)
    if counted and release.neighbors == account.neighbors:  # without parsing the part keys
        times = Counter[Part]()
        for part in counted:
            times[replace(part, count=1, label="")] += part.count * release.releases
        return times
    return Counter(count_parts(costs(release, account), account))


def _fitting(
    account: Account, gone: Counts, one: Counts, each: Spent, together: Together
) -> Fitting:
    """How many more the rule lets through; the limit that binds is one that one more breaks."""
    rule = rule_of(account)
    try:
        number = rule.standing(gone, one).left or 0
        standing = rule.standing(add_counts(gone, one, number))
    except OutOfRange:  # no guarantee is so weak
        raise Meaningless(
            f"What was released before is more than the rule {account.rule} can add up, so "
            "nothing more can be planned."
        ) from None
    over = rule.decide(gone, add_counts({}, one, min(number + 1, MOST))).readings
    pairs = list(zip(standing.readings, over, strict=True))
    now, then = next(((a, b) for a, b in pairs if b.kept is False), pairs[0])
    return Fitting(
        "no limit" if number == MOST else "limited" if number else "infeasible",
        Answer(float(number), "lower", standing.theorem),
        "" if number else english("budget.not-one-more"),
        now.limit,
        Composed(standing.whole, standing.theorem, (english("budget.by-rule"),)),
        now.now or now.limit.measured(standing.whole),
        together,
        each,
        False,
        None if number == MOST else then.after,
        account.rule,
    )
