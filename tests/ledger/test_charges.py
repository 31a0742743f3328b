"""Units, groups and neighbors: what a release costs an account."""

import pytest

from dprisk import ApproxDP, GaussianDP, PureDP
from dprisk.budget import InformedLimit
from dprisk.documents import compose_release
from dprisk.errors import InvalidInput, Meaningless, OutOfRange
from dprisk.ledger.accounts import Account
from dprisk.ledger.charges import ChargeRequest, costs, describe
from dprisk.releases import Part, Release
from dprisk.releases.files import read_text_once

LIMIT = (InformedLimit("posterior", 0.5, prior=0.1),)


def account(unit="user", neighbors="add-remove"):
    return Account("here", "everybody", unit, neighbors, "2026", "pure", LIMIT)


def release(unit="user", neighbors="add-remove", releases=1, *parts):
    own = parts or (
        Part(PureDP(0.1, neighbors=neighbors), 2),
        Part(PureDP(0.1, neighbors=neighbors)),
    )
    return Release("R", unit, "day", neighbors, True, "central", own, releases=releases)


def test_equal_parts_are_counted_together():
    assert costs(release(releases=5), account()) == {'{"guarantee":{"epsilon":"0.1"}}': 15}


def test_units_in_other_spellings_are_the_same():
    assert costs(release("Users"), account("user-level")).total() == 3


@pytest.mark.parametrize("over", [1, 30])
def test_days_are_releases(over):
    assert costs(release("user-day"), account(), over=over).total() == 3 * over


def test_a_group_takes_steps():
    found = costs(release("device"), account(), group=3)
    assert found == {'{"guarantee":{"epsilon":"0.3"}}': 3}


def test_both_neighbors_and_a_group():
    own = (Part(GaussianDP(0.5, neighbors="add-remove")),)
    found = costs(
        release("device", "add-remove", 1, *own), account(neighbors="replace-one"), group=3
    )
    assert found == {'{"guarantee":{"mu":"3.0"}}': 1}


@pytest.mark.parametrize(
    ("what", "about", "reach", "says"),
    [
        (release("user-day"), account(), {}, "--over"),
        (release("device"), account(), {}, "--group"),
        (release("device"), account(), {"over": 3}, "--group"),
        (release("user"), account(), {"over": 3}, "nothing to convert"),
        (release("user"), account("user-day"), {}, "--group"),
        (release("user", "replace-one"), account(), {}, "No theorem"),
    ],
)
def test_what_cannot_be_converted_is_refused(what, about, reach, says):
    with pytest.raises(Meaningless, match=says):
        costs(what, about, **reach)


def test_a_release_without_a_number_is_refused():
    empty = Release("R", "user", "day", "add-remove", True, "central", ())
    with pytest.raises(InvalidInput, match="can be counted"):
        costs(empty, account())


@pytest.mark.parametrize("reach", [{"over": 0}, {"group": 1.5}, {"over": True}])
def test_numbers_of_days_and_devices_are_whole(reach):
    with pytest.raises(OutOfRange):
        ChargeRequest(PureDP(0.1, neighbors="add-remove"), "here", **reach)


def test_a_file_is_kept_as_written(tmp_path):
    text = "# by hand\ndprisk: 1\nname: A\nunit: user\nperiod: day\nneighbors: add-remove\n"
    text += "model: central\nguarantees: [{epsilon: 0.10}]\n"
    (tmp_path / "a.yaml").write_text(text)
    found, kept = describe(tmp_path / "a.yaml", account())
    assert kept["text"] == text and kept["file"] == "a.yaml" and found.name == "A"


def test_a_bare_promise_takes_the_unit_of_the_account():
    found, kept = describe(PureDP(0.1, neighbors="add-remove"), account("household"))
    assert found.unit == "household" and read_text_once(**kept) == found


@pytest.mark.parametrize(
    ("rule", "more", "counted"),
    [
        ("pure", {}, '{"guarantee":{"epsilon":"1.0"}}'),
        ("concentrated", {}, '{"guarantee":{"epsilon":"1.0"}}'),
        ("approximate", {"delta": "1e-4"}, '{"guarantee":{"delta":"1e-05","epsilon":"0.5"}}'),
    ],
)
def test_of_what_may_hold_the_account_takes_what_it_can_add_up(rule, more, counted):
    """A second statement that says more is no reason to refuse what the parts allow."""
    both = Release(
        "R", "user", "day", "add-remove", True, "central",
        (Part(PureDP(1.0, neighbors="add-remove")),),
        stated_also=(Part(ApproxDP(0.5, 1e-5, neighbors="add-remove")),),
    )  # fmt: skip
    town = Account("t", "all", "user", "add-remove", "2026", rule, LIMIT, cap="9", **more)
    assert costs(both, town) == {counted: 1}
    found = compose_release(both, delta=[0.0, 1e-5]).readings
    assert [each.upper for each in found] == [1.0, 0.5]
