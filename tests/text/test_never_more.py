"""No sentence says more than its number: a bound is never said as if it were certain.

Every document is made for weak and strong promises, and read by pattern.
"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from dprisk import Adversary, ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP, assess
from dprisk.allocation import allocate
from dprisk.composition.analysis import natural_secret
from dprisk.curves import draw_icons, takeaway
from dprisk.documents import Labels, explain, headline, report
from dprisk.documents.beliefs import sentences
from dprisk.documents.explaining import AUDIENCES
from dprisk.releases import Release
from dprisk.text import language
from dprisk.text.rounding import bounded
from tests.cli.running import run, survey

PROMISES = [
    *(PureDP(e, neighbors="add-remove") for e in (0.0, 0.001, 1.0, 4.7, 8.0, 20.0, 700.0)),
    PureDP(8.0, neighbors="replace-one"),
    ApproxDP(8.0, 1e-6, neighbors="add-remove"),
    ApproxDP(1.0, 0.3, neighbors="replace-one"),
    ZeroConcentratedDP(30.0, neighbors="add-remove"),
    GaussianDP(9.0, neighbors="replace-one"),
]
EDGES = re.compile(
    r"(?P<edge>(?:over|above|more than) (?:99 in 100|99 of 100|999 in 1,000|0\.9999)"
    r"|(?:under|below) 1 (?:in|of) 100(?!,)"
    r"|(?:mehr als|über) 99 von 100|(?:weniger als|unter) 1 von 100)\b"
)
POSSIBLY = re.compile(r"(?:possibly (?:to )?|womöglich (?:auf )?)$")
WHERE = re.compile(r"(?:prior|starts|Ausgangswert|start from)(?: of)? ?$|liegt$")
CERTAIN = re.compile(
    r"at most 100 (?:in|of) 100\b|höchstens 100 von 100\b|at most possibly|more than possibly"
    r"|an? (?:epsilon|ε) of inf\b"
)


JARGON = re.compile(r"\bnats?\b|log-odds|e\^ε")


def bare(text):
    """What is said without "possibly", beside where a largest change is."""
    text = " ".join(text.split())
    found = [text[max(0, m.start() - 60) : m.end()] for m in CERTAIN.finditer(text)]
    for match in EDGES.finditer(text):
        before = text[: match.start()]
        if not POSSIBLY.search(before) and not WHERE.search(before):
            found.append(text[max(0, match.start() - 60) : match.end()])
    return found


@pytest.mark.parametrize(
    ("said", "is_bare"),
    [
        ("can raise that chance to over 99 in 100.", True),
        ("the results can be right in over 99 of 100 cases", True),
        ("After: under 1 in 100", True),
        ("mehr als 99 von 100", True),
        ("to at most 100 in 100", True),
        ("There is almost no limit. The chance afterwards is possibly over 99 in 100", False),
        ("almost without limit, possibly to over 99 in 100", False),
        ("The largest rise is from a prior below 1 in 100", False),
        ("womöglich auf mehr als 99 von 100", False),
    ],
)
def test_the_pattern_itself(said, is_bare):
    assert bool(bare(said)) is is_bare


@pytest.mark.parametrize("promise", PROMISES, ids=repr)
def test_explanations_and_assessments(promise):
    """Starting points between 0.1 and 0.9, so that no certain end is beyond a last count."""
    priors = [0.1, 0.5, 0.9]
    for audience in AUDIENCES:
        for tongue in ("en", "de") if audience == "data-subject" else ("en",):
            made = explain(promise, audience, priors=priors, after=[2, 50], language=tongue)
            assert bare(str(made)) == []
            if audience == "regulator":
                assert not JARGON.search(str(made))
    after = assess(promise).statements[0].find("posterior", 0.1).upper
    for tongue in ("en", "de"):
        with language(tongue):
            assert bare(" ".join(sentences(assess(promise)))) == []
            assert bare(bounded(after, upper=True)) == bare(bounded(1.0, upper=True)) == []


@pytest.mark.parametrize("promise", [PROMISES[n] for n in (2, 4, 6, 8)], ids=repr)
@pytest.mark.parametrize("tongue", ["en", "de"])
def test_reports_and_summaries(promise, tongue):
    labels = Labels(language=tongue, claim="you answered No")
    made = report(promise, limits={"posterior": 0.6}, priors=[0.1, 0.5], labels=labels)
    visible = re.sub(r"(?s)<script.*?</script>|<style.*?</style>|<[^>]*>", " ", made.to_html())
    read = "claim is read as: " if tongue == "en" else "Aussage wird so gelesen: "
    for text in (made.to_markdown(), visible, made.summary().to_markdown()):
        assert bare(text) == []
        assert read in text


@pytest.mark.parametrize("epsilon", ["0.001", "8", "700"])
@pytest.mark.parametrize(
    "command",
    [
        ("assess", "--limit", "posterior=0.5", "--prior", "0.1"),
        ("power",),
        ("ladder", "--releases", "30"),
        ("counterfactual",),
        ("compose",),
    ],
    ids=lambda command: command[0],
)
def test_commands(command, epsilon, tmp_path):
    name, *options = command
    asked = ["--epsilon", epsilon, "--neighbors", "add-remove"]
    if name == "compose":
        asked = [survey(tmp_path, f"{{epsilon: {epsilon}}}"), "--delta", "0"]
    for quiet in ((), ("-q",)):
        done = run(name, *asked, *options, *quiet)
        assert bare(done.out) == []
        assert done.code in (0, 3) and done.out


def test_icons_leave_half_of_the_last_circle_empty():
    for upper in (0.9999, 1.0):
        after = assess(PureDP(8.0, neighbors="add-remove")).statements[0]
        ax = draw_icons({"after": _answer(after, upper)})
        assert takeaway(ax) == "After: possibly over 99 in 100."


def _answer(statement, value):
    return replace(statement.loss, value=value, bound="upper", other_end=None)


def test_a_table_of_one_query_is_not_said_to_reveal_nothing():
    rows = [{"query": "count", "attributes": "income", "rho": "0.5"}]
    table = allocate(rows, moves=1, noise="discrete-gaussian")
    promise = ZeroConcentratedDP(0.5, neighbors="replace-one")
    made = report(promise, allocation=table, concerns=["income"]).to_markdown()
    assert "reveal nothing" not in made
    assert "does not say which noise" not in made
    assert "says which noise was added: discrete Gaussian noise" in made


def test_how_a_claim_is_read_stands_beside_it():
    promise = ApproxDP(0.1, 1e-7, neighbors="add-remove")
    said = {
        ("membership", "en"): "Your claim is read as: your record is in the data.",
        ("attribute", "en"): "Your claim is read as: your record has this value.",
        ("membership", "de"): "Ihre Aussage wird so gelesen: Ihr Datensatz ist in den Daten.",
        ("attribute", "de"): "Ihre Aussage wird so gelesen: Ihr Datensatz hat diesen Wert.",
    }
    claim = "your manager concludes that you answered No"
    for (secret, tongue), read in said.items():
        made = explain(promise, claim=claim, secret=secret, language=tongue)
        assert read in str(made.sections[0].sentences[-1])
    for audience in AUDIENCES:
        made = explain(promise, audience, claim=claim, secret="membership")
        whose = "Your claim" if audience == "data-subject" else "The claim"
        assert f"{whose} is read as: " in str(made)
        assert said["membership", "en"] not in str(explain(promise, audience))


def test_json_has_no_infinite_epsilon(tmp_path):
    path = tmp_path / "runs.csv"
    path.write_text("dataset,a,b\n0,1,0\n1,0.5,0.5\n")
    done = run("audit", str(path), "--claim", "epsilon=1, delta=0.01")
    assert "no finite epsilon holds" in " ".join(done.out.split())
    assert bare(done.out) == []
    assert run("audit", str(path), "--claim", "epsilon=1, delta=0.01", "--json").data


@pytest.mark.parametrize("promise", PROMISES, ids=repr)
def test_decision_makers_read_the_headline_of_the_command(promise):
    asked = Adversary(priors=(0.1,), secret=natural_secret(Release.of(promise)))
    told = explain(promise, "regulator", priors=[0.1]).sections[0].sentences
    assert " ".join(map(str, told)).startswith(headline(assess(promise, asked)))
