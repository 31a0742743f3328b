"""Claims: read, judged, and shown; in floating point and in fractions."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import pytest

from dprisk.audit import Claim, audit, check, examine
from dprisk.audit.claims import CLAIMS
from dprisk.documents.results import verdict_in_words
from dprisk.errors import InvalidInput, NoConversion, OutOfRange
from tests.audit import tables

COIN = [["3/4", "1/4"], ["1/4", "3/4"]]
# of the coin: what is just enough, and how to claim it
TRUTHS = {
    "epsilon={}": math.log(3),
    "epsilon=1, delta={}": 0.75 - math.e / 4,
    "epsilon=1, delta={}, kind=pdp": 0.75,
    "epsilon=1, delta={}, kind=pdp-both": 1.0,
    "epsilon=1, delta={}, kind=disclosure": 1.0,
    "epsilon=1, delta={}, kind=pbdp": 0.75 + (0.75 - math.e / 4) / (0.75 * math.e - 0.25) / 4,
    "tv={}": 0.5,
    "alpha=2, gamma={}": math.log(7 / 3),
    "alpha=2.5, gamma={}": math.log(0.75 * 3**1.5 + 0.25 * 3**-1.5) / 1.5,
    "rho={}": math.log(3) / 2,  # at order 1: the Kullback-Leibler divergence
    "mu={}": 2 * 0.6744897501960817,
}


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("text", TRUTHS)
def test_just_enough(text, exact):
    """One percent less is refused and shown, a little more is kept."""
    truth = TRUTHS[text]
    little, enough = truth * 0.99, min(truth * 1.000001, max(truth, 1.0))
    lab = audit(COIN)
    fails, holds = check(lab, [text.format(little), text.format(enough)], exact=exact)
    assert (fails.decision, holds.decision) == ("fails", "holds")
    assert fails.lower <= truth * (1 + 1e-12) and truth <= fails.upper * (1 + 1e-12)
    assert fails.excess == pytest.approx(truth * 0.01, rel=1e-6)
    assert {fails.witness.first, fails.witness.second} <= {"D1", "D2", ""}
    assert holds.excess == 0.0
    rational = "rho" not in text and "mu" not in text and "2.5" not in text
    assert fails.exact is holds.exact is (exact and rational)
    json.dumps(fails.to_dict(), allow_nan=False)


def test_exactly_as_claimed():
    """log(3) is decided in fractions; floats allow for their rounding, and say so."""
    lab = audit(COIN)
    assert check(lab, ["epsilon=log(3)"], exact=True)[0].holds
    assert (
        check(lab, ["epsilon=ln( 299999999999/100000000000 )"], exact=True)[0].decision == "fails"
    )
    assert check(lab, ["epsilon=log(3)"])[0].holds
    strict = check(lab, ["epsilon=log(3)"], tolerance=0.0)[0]
    assert strict.decision == "undecided" and not strict.holds
    assert check(lab, ["epsilon=log(3), delta=0.001, kind=pdp"], exact=True)[0].holds
    assert check(lab, ["epsilon=1.0986, delta=0.001, kind=pdp"], exact=True)[0].decision == "fails"
    pure = check(lab, ["epsilon=0.1, delta=0"], exact=True)[0]
    assert pure.decision == "fails" and pure.needed == pytest.approx(math.log(3))


def test_a_hundred_digits_decide():
    """A delta that is off in the thirtieth digit is off."""
    truth = Fraction(3, 4) - Fraction(1, 4) * 2
    for shift, decision in ((Fraction(0), "holds"), (Fraction(1, 10**30), "fails")):
        claim = Claim("adp", (("epsilon", "log(2)"), ("delta", str(truth - shift))))
        assert check(audit(COIN), [claim], exact=True)[0].decision == decision


def test_never_enough():
    """Nothing finite keeps a mechanism that reveals all."""
    lab = audit([[1, 0], [0, 1]])
    for exact in (False, True):
        found = check(lab, ["epsilon=10", "rho=5", "alpha=2, gamma=9", "mu=3"], exact=exact)
        assert {one.decision for one in found} == {"fails"}
        assert {one.excess for one in found} == {math.inf}
        assert all(one.to_dict()["lower"] is None for one in found)


def test_claims_follow_the_relation():
    """Two steps of the geometric mechanism are worth two epsilons."""
    table = tables.geometric(2, 6)
    near = tables.steps(table)
    assert check(audit(table, neighbors=near), ["epsilon=log(2)"], exact=True)[0].holds
    assert not check(audit(table), ["epsilon=log(2)"], exact=True)[0].holds
    assert check(audit(table), ["epsilon=log(32)"], exact=True)[0].holds


@pytest.mark.parametrize("kind", CLAIMS)
def test_text_reads_back(kind):
    """What is printed is a claim again."""
    given = tuple((name, "0.5" if name != "alpha" else "2") for name in CLAIMS[kind])
    claim = Claim(kind, given)
    assert Claim.of(str(claim)) == claim


BAD = {
    "": ["name=value"],
    "epsilon": ["name=value"],
    "epsilon=": ["name=value"],
    "epsilom=1": ["'epsilom'", "mean 'epsilon'?"],
    "epsilon=1, epsilon=2": ["each name once"],
    "delta=0.1": ["about one definition"],
    "epsilon=1, rho=1": ["about one definition"],
    "epsilon=1, kind=adp": ["epsilon and delta"],
    "epsilon=1, delta=0.1, kind=pdpp": ["'pdpp'", "mean 'pdp'?"],
    "epsilon=abc": ["epsilon of a claim", "'abc'"],
    "epsilon=log(1/2)": ["epsilon of a claim"],
    "delta=log(3), epsilon=1": ["delta of a claim"],
    "epsilon=nan": ["epsilon of a claim"],
    "epsilon=inf": ["epsilon of a claim"],
}


@pytest.mark.parametrize("text", BAD)
def test_bad_claims(text):
    """The message shows what a claim looks like."""
    with pytest.raises(InvalidInput) as caught:
        Claim.of(text)
    for words in BAD[text]:
        assert words in str(caught.value)


@pytest.mark.parametrize("text", ["epsilon=1, delta=2", "alpha=1, gamma=1", "tv=1.5"])
def test_numbers_out_of_range(text):
    """Refused by name."""
    with pytest.raises(OutOfRange):
        Claim.of(text)


def test_approximate_zcdp_is_judged_by_pairs():
    """With delta it is a question about sets of outputs; without one, about a number."""
    claim = Claim.of("rho=0.3, xi=0.4, delta=0.1")
    assert (claim.kind, claim.name) == ("zcdp", "0.1-approximate (0.4, 0.3)-zCDP")
    assert str(claim) == "rho=0.3, xi=0.4, delta=0.1" and Claim.of(str(claim)) == claim
    coin = audit(COIN)
    tight = Claim.of("rho=0.01, xi=0.01, delta=0.1")
    assert claim.holds(coin.mechanism) and not tight.holds(coin.mechanism)
    kept, broken = check(coin, [claim, tight])
    assert (kept.decision, kept.lower, kept.upper, kept.excess) == ("holds", 0.0, 0.0, 0.0)
    assert (broken.decision, broken.quantity, broken.upper) == ("fails", "breaking_pairs", 2.0)
    assert verdict_in_words(kept).endswith("Every ordered pair of neighbors keeps it.")
    assert f"is {broken.witness.first} against {broken.witness.second}." in verdict_in_words(broken)
    with pytest.raises(NoConversion, match=r"Ask claim\.holds"):
        check(coin, [Claim.of(lambda p, q: True)])
    plain = Claim.concentrated(0.6)
    assert check(coin, [plain])[0].holds and plain.holds(coin.mechanism)


@pytest.mark.parametrize("share", ["0.05", "0.2"])
def test_the_mass_that_is_left_out_decides(share):
    """All but 0.1 of the outputs are those of a fair coin: delta from there on, and not below."""
    leaky = audit([["0.45", "0.45", "0.1", "0"], ["0.45", "0.45", "0", "0.1"]])
    (verdict,) = check(leaky, [f"rho=0.001, delta={share}"])
    assert verdict.holds is (float(share) >= 0.1)


def test_single_outputs_are_a_claim_but_no_promise():
    """Kept by a mechanism that reveals everything, spread over many outputs."""
    leaky = audit([[0.25] * 4 + [0] * 4, [0] * 4 + [0.25] * 4])
    few, all_of_it = "epsilon=0, delta=0.25, kind=pointwise", "epsilon=0, delta=0.99"
    assert [one.decision for one in check(leaky, [few, all_of_it])] == ["holds", "fails"]
    assert Claim.of(few).holds(leaky.mechanism)
    assert Claim.of(few).name == "pointwise (0, 0.25)"


@pytest.mark.parametrize("kind", ["disclosure", "gdp", "rdp"])
def test_what_is_not_about_pairs_of_rows_is_left_to_check(kind):
    given = tuple((name, "2" if name == "alpha" else "0.5") for name in CLAIMS[kind])
    with pytest.raises(NoConversion, match=r"Ask check\(\)"):
        Claim(kind, given).holds(audit(COIN).mechanism)


DECIDED = ["epsilon={}", "epsilon=1, delta={}", "epsilon=1, delta={}, kind=pdp", "tv={}", "rho={}"]


@pytest.mark.parametrize("text", [*DECIDED, "epsilon=1, delta={}, kind=pbdp"])
@pytest.mark.parametrize("factor", [0.99, 1.01])
def test_holds_is_what_check_decides(text, factor):
    """The predicate on pairs and the number of the audit agree on both sides of the truth."""
    claim, lab = Claim.of(text.format(TRUTHS[text] * factor)), audit(COIN)
    assert claim.holds(lab.mechanism) is check(lab, [claim], exact=True)[0].holds is (factor > 1)


def test_tolerance_has_a_limit():
    """It is for rounding, not for wishes."""
    with pytest.raises(OutOfRange):
        check(audit(COIN), ["epsilon=1"], tolerance=0.1)


@pytest.mark.parametrize("exact", [False, True])
def test_examined(exact):
    """The table beside the audit; plain data without NaN."""
    made = examine(COIN, epsilon=[0.5, 3.0], delta=[0.0, 0.1], exact=exact)
    assert made.kept and made.verdicts == ()
    assert [line.quantity for line in made.lines[:4]] == [
        "largest_loss",
        "total_variation",
        "rho",
        "mu",
    ]
    delta = next(line for line in made.lines if line.quantity == "delta")
    assert delta.lower <= 0.75 - math.exp(0.5) / 4 <= delta.upper
    half = made.lines[1]
    assert (half.rational == Fraction(1, 2)) is exact
    tails = [line for line in made.lines if line.quantity == "tail_both"]
    assert [line.upper for line in tails] == pytest.approx([1.0, 0.0])
    epsilons = [line.upper for line in made.lines if line.quantity == "epsilon"]
    assert epsilons == pytest.approx([math.log(3), math.log(2.6)])
    data = json.loads(json.dumps(made.to_dict(), allow_nan=False))
    assert data["schema"] == "dprisk/audit/1" and data["kept"] is True
    assert len(data["findings"]) == len(made.lines)


def test_claims_alone_need_no_table():
    """Only what was claimed is computed."""
    made = examine(COIN, claims=["tv=0.4"])
    assert made.lines == () and not made.kept
