"""Tables and relations: what is read, and what is refused before any work."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dprisk.audit import (
    ExactAudit,
    FiniteMechanism,
    NeighborRelation,
    audit,
    examine,
    growth_bracket,
    read_edges,
    read_mechanism,
)
from dprisk.errors import DpriskError, InvalidFile, InvalidInput, OutOfRange

HALF = [[0.5, 0.5], [0.25, 0.75]]
THIRD = Fraction(1, 3)

TABLES = {
    "floats": [[0.5, 0.5], [0.25, 0.75]],
    "array": np.array([[0.5, 0.5], [0.25, 0.75]]),
    "fractions": [[Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 4), Fraction(3, 4)]],
    "text": [["1/2", ".5"], ["2.5e-1", " 0.75 "]],
    "whole numbers": [[1, 0], [0, 1]],
    "rows by name": {"a": [0.5, 0.5], "b": [0.25, 0.75]},
    "all by name": {"a": {"y1": "1/2", "y2": "1/2"}, "b": {"y2": "3/4", "y1": "1/4"}},
}


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_tables(table):
    """Every form is the same mechanism, with its fractions."""
    made = FiniteMechanism(table)
    expected = np.eye(2) if table is TABLES["whole numbers"] else HALF
    assert made.probabilities.tolist() == np.asarray(expected).tolist()
    assert [float(v) for v in made.exact().ravel()] == np.ravel(expected).tolist()
    assert not made.probabilities.flags.writeable


def test_labels():
    """Given, counted or from the keys; an output that a dataset lacks is impossible there."""
    made = FiniteMechanism({"a": {"x": 1}, "b": {"y": 1}})
    assert (made.datasets, made.outputs) == (("a", "b"), ("x", "y"))
    assert made.probabilities.tolist() == [[1, 0], [0, 1]]
    assert FiniteMechanism(HALF).datasets == ("D1", "D2")
    assert FiniteMechanism({(0, 1): [0.5, 0.5], (1, 1): HALF[1]}).datasets == ("0,1", "1,1")


def test_exact_is_what_was_written():
    """Thirds are thirds, decimals decimals, floats binary fractions; rows are divided by sums."""
    thirds = FiniteMechanism([["1/3", "2/3"], ["0.1", "0.9"]])
    assert thirds.exact().tolist() == [[THIRD, 2 * THIRD], [Fraction(1, 10), Fraction(9, 10)]]
    rounded = FiniteMechanism([["0.3333333333", "0.6666666666"], [0.5, 0.5]])
    assert rounded.exact()[0].tolist() == [THIRD, 2 * THIRD]
    assert FiniteMechanism([[0.1, 0.9], [0.5, 0.5]]).exact()[0, 0] == Fraction(0.1) / (
        Fraction(0.1) + Fraction(0.9)
    )


BAD = {
    "one row": ([[0.5, 0.5]], {}, ["1 row", "at least two rows"]),
    "no rows": ([], {}, ["rows of one length"]),
    "no columns": ([[], []], {}, ["'D1'", "add up to 1", "0.0"]),
    "ragged": ([[1.0], [0.5, 0.5]], {}, ["2 in row 2, 1 in row 1"]),
    "not a table": (3, {}, ["a table of probabilities"]),
    "cube": (np.ones((2, 2, 2)), {}, ["(2, 2, 2)"]),
    "sum": ([[0.5, 0.5], [0.5, 0.501]], {}, ["'D2'", "off by +0.001", "1.001"]),
    "negative": (
        [[0.5, 0.5], [-0.1, 1.1]],
        {},
        ["'y1' on dataset 'D2'", "-0.1", "cannot be negative"],
    ),
    "NaN": ([[0.5, 0.5], [float("nan"), 1]], {}, ["'y1' on dataset 'D2'", "nan"]),
    "infinite": (np.array([[np.inf, 0.5], [0.5, 0.5]]), {}, ["'y1' on dataset 'D1'", "inf"]),
    "a word": ([["half", 0.5], [0.5, 0.5]], {}, ["row 1, column 1", "'half'", "1/4"]),
    "True": ([[True, False], [0.5, 0.5]], {}, ["row 1, column 1", "True"]),
    "None": ([[None, 1], [0.5, 0.5]], {}, ["row 1, column 1"]),
    "zero below": ([["1/0", 1], [0.5, 0.5]], {}, ["row 1, column 1", "'1/0'"]),
    "huge exponent": ([["1e99999999", 1], [0.5, 0.5]], {}, ["row 1, column 1"]),
    "label twice": (HALF, {"datasets": ["a", "a"]}, ["datasets", "'a'", "differ"]),
    "output twice": (HALF, {"outputs": ["y", "y"]}, ["outputs", "'y'", "differ"]),
    "too few labels": (HALF, {"datasets": ["a"]}, ["1 labels", "2 labels"]),
    "labels of a mapping": ({"a": [1.0], "b": [1.0]}, {"datasets": ["x", "y"]}, ["left out"]),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_tables(case):
    """The message names the place and what would be right."""
    table, labels, said = BAD[case]
    with pytest.raises(InvalidInput) as caught:
        FiniteMechanism(table, **labels)
    for words in said:
        assert words in str(caught.value)


def test_normalizing_is_asked_for():
    """Counts become probabilities, if one says so."""
    assert FiniteMechanism([[1, 3], [2, 2]], normalize=True).row("D1").tolist() == [0.25, 0.75]
    with pytest.raises(InvalidInput, match="normalize"):
        FiniteMechanism([[1, 3], [2, 2]])


BITS = FiniteMechanism(np.full((4, 2), 0.5), datasets=["00", "01", "10", "11"])


def pairs(relation):
    names = BITS.datasets
    return [(names[a], names[b]) for a, b in zip(relation.first, relation.second, strict=True)]


def test_relations():
    """All pairs, listed ones, Hamming distance one, and a matrix."""
    assert len(NeighborRelation.all_pairs(BITS)) == 6
    square = [("00", "01"), ("00", "10"), ("01", "11"), ("10", "11")]
    assert pairs(NeighborRelation.hamming(BITS)) == square
    records = [("a", "b"), ("a", "c"), ("d", "b"), ("d", "c")]
    assert pairs(NeighborRelation.hamming(BITS, records)) == square
    twice = NeighborRelation.edges(BITS, [("01", "00"), ("00", "01")])
    assert pairs(twice) == [("00", "01")]
    one_way = NeighborRelation.edges(BITS, [("01", "00")], symmetric=False)
    assert pairs(one_way) == [("01", "00")] and not one_way.symmetric
    assert NeighborRelation.all_pairs(BITS).complete


WRONG = {
    "unknown label": (lambda: NeighborRelation.edges(BITS, [("00", "0l")]), ["'0l'", "mean"]),
    "a triple": (lambda: NeighborRelation.edges(BITS, [("00", "01", "11")]), ["two labels"]),
    "a word": (lambda: NeighborRelation.edges(BITS, ["ab"]), ["two labels", "'ab'"]),
    "none": (lambda: NeighborRelation.edges(BITS, []), ["at least one pair"]),
    "itself": (lambda: NeighborRelation.edges(BITS, [("00", "00")]), ["not its own neighbor"]),
    "no records": (
        lambda: NeighborRelation.hamming(FiniteMechanism(HALF, datasets=["ab", "c"])),
        ["records", '"011"'],
    ),
    "ragged records": (
        lambda: NeighborRelation.hamming(BITS, [(1,), (1, 2), (1,), (2,)]),
        ["2 in '01'", "List the pairs"],
    ),
    "few records": (lambda: NeighborRelation.hamming(BITS, [(1,)]), ["one vector for each"]),
    "other word": (lambda: audit(BITS, neighbors="haming"), ["'haming'", "mean 'hamming'?"]),
    "other table": (
        lambda: audit(HALF, neighbors=NeighborRelation.all_pairs(BITS)),
        ["between the 2 datasets"],
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_relations(case):
    """The message says what a relation is."""
    make, said = WRONG[case]
    with pytest.raises(InvalidInput) as caught:
        make()
    for words in said:
        assert words in str(caught.value)


QUESTIONS = [
    lambda lab: lab.delta(-1),
    lambda lab: lab.delta(float("nan")),
    lambda lab: lab.epsilon(1.5),
    lambda lab: lab.epsilon(0.0, kind="pbdp"),
    lambda lab: lab.renyi(0.5),
    lambda lab: lab.delta(1.0, kind="tv"),
    lambda lab: ExactAudit(lab.mechanism, lab.relation).delta(Fraction(1, 2)),
    lambda lab: ExactAudit(lab.mechanism, lab.relation).delta(float("nan")),
    lambda lab: ExactAudit(lab.mechanism, lab.relation).growth(2),
    lambda lab: ExactAudit(lab.mechanism, lab.relation).moment(1),
    lambda lab: ExactAudit(lab.mechanism, lab.relation).moment(2000),
    lambda lab: lab.mechanism.row("D9"),
    lambda lab: lab.mechanism.merged({"a": ["y1"], "b": ["y1"]}),
    lambda lab: growth_bracket(-1),
    lambda lab: growth_bracket("x"),
    lambda lab: growth_bracket(1, digits=0),
]


@pytest.mark.parametrize("ask", QUESTIONS)
def test_bad_questions(ask):
    """Refused by name."""
    with pytest.raises(InvalidInput):
        ask(audit(HALF))


def test_too_many_pairs_for_fractions():
    """Said before the work begins."""
    rows = np.full((1001, 300), 1 / 300)
    with pytest.raises(InvalidInput, match="Audit fewer"):
        ExactAudit(FiniteMechanism(rows), NeighborRelation.all_pairs(FiniteMechanism(rows)))


def test_edges_of_the_numbers():
    """Zero, one and infinity, and arrays of any shape."""
    lab = audit([[1, 0], [0, 1]])
    assert lab.delta([0.0, 5.0, np.inf]).value.tolist() == [1.0, 1.0, 1.0]
    assert lab.epsilon([0.0, 0.5, 1.0]).value.tolist() == [np.inf, np.inf, 0.0]
    assert lab.largest_loss().value == lab.rho().value == lab.mu().value == np.inf
    assert lab.delta(np.inf, kind="pdp").value == 0.0
    same = audit([[0.25, 0.75, 0], [0.25, 0.75, 0]])
    assert same.delta(0.0).value == same.largest_loss().value == same.mu().value == 0.0
    assert same.rho().value <= 1e-20
    assert same.epsilon(0.0).value <= 1e-12
    for shape in ((), (0,), (2, 3)):
        assert np.shape(same.delta(np.ones(shape), kind="pbdp").value) == shape
        assert np.shape(same.delta(np.ones(shape)).value) == shape
        assert np.shape(same.renyi(np.full(shape, 2.0)).value) == shape
    tiny = audit([[1e-300, 1 - 1e-300], [1e-301, 1 - 1e-301]])
    assert tiny.delta(1.0).value == pytest.approx(1e-300 - np.e * 1e-301, rel=1e-9)
    assert tiny.largest_loss().value == pytest.approx(np.log(10), rel=1e-12)
    assert tiny.delta(2.0, kind="pdp").value == pytest.approx(1e-300)


FILES = {
    "labels": ("a.csv", "d,x,y\na,1/2,0.5\nb,1/4,0.75\n"),
    "no labels": ("a.csv", "0.5,0.5\n0.25,0.75\n"),
    "quotes and spaces": ("a.csv", '\ufeff"d", x ,"y"\r\n a ,0.5,0.5\r\n\r\nb,"0.25",0.75\r\n'),
    "mapping": ("a.json", '{"a": {"x": 0.5, "y": "1/2"}, "b": {"x": 0.25, "y": 0.75}}'),
    "rows": (
        "a.json",
        '{"datasets": ["a", "b"], "outputs": ["x", "y"], '
        '"probabilities": [[0.5, 0.5], [0.25, 0.75]]}',
    ),
}


@pytest.mark.parametrize("case", FILES)
def test_files(case, tmp_path):
    """CSV and JSON, with exact fractions."""
    name, text = FILES[case]
    (tmp_path / name).write_text(text, encoding="utf-8")
    made = read_mechanism(tmp_path / name)
    assert made.exact()[1].tolist() == [Fraction(1, 4), Fraction(3, 4)]
    assert made.datasets == (("D1", "D2") if case == "no labels" else ("a", "b"))
    assert made.outputs == (("y1", "y2") if case == "no labels" else ("x", "y"))


BROKEN = {
    "missing": ("a.csv", None, ["no such file"]),
    "empty": ("a.csv", "", ["empty"]),
    "heading only": ("a.csv", "d,x,y\n", ["rows of one length"]),
    "ragged": ("a.csv", "d,x,y\na,0.5\n", ["line 2", "2 cells", "3"]),
    "a gap": ("a.csv", "d,x,y\na,0.5,\nb,0.5,0.5\n", ["row 1, column 2", "''"]),
    "sum": ("a.csv", "d,x,y\na,0.5,0.6\nb,0.5,0.5\n", ["'a'", "off by +0.1"]),
    "label twice": ("a.csv", "d,x,y\na,0.5,0.5\na,0.5,0.5\n", ["'a'", "differ"]),
    "no JSON": ("a.json", "{", ["not valid JSON"]),
    "a list": ("a.json", "[1]", ["not a mapping"]),
    "key twice": ("a.json", '{"a": {"x": 1}, "a": {"x": 1}}', ["'a'", "once"]),
    "another key": ("a.json", '{"probabilities": [[1], [1]], "rho": 1}', ["'rho'", "one of"]),
    "binary": ("a.csv", b"\xff\xfe\x00", ["UTF-8"]),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_files(case, tmp_path):
    """One error that names the file."""
    name, text, said = BROKEN[case]
    path = tmp_path / name
    if isinstance(text, bytes):
        path.write_bytes(text)
    elif text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(DpriskError) as caught:
        read_mechanism(path)
    assert isinstance(caught.value, InvalidFile)
    for words in [name, *said]:
        assert words in str(caught.value)


def test_edges_from_a_file(tmp_path):
    """With a heading or without; a line with other than two cells is refused."""
    path = tmp_path / "edges.csv"
    path.write_text("first,second\n00,01\n", encoding="utf-8")
    assert read_edges(path) == [("00", "01")]
    path.write_text("00,01\n00\n", encoding="utf-8")
    with pytest.raises(InvalidFile, match="line 2"):
        read_edges(path)


def test_growth_brackets():
    """They hold e^epsilon, and are as narrow as asked."""
    from mpmath import mp, mpf

    with mp.workdps(120):
        for epsilon in ("0.001", "0.5", "1", "7/3", "50", "700"):
            for digits in (5, 40, 100):
                low, high = growth_bracket(epsilon, digits)
                exact = mp.exp(mpf(Fraction(epsilon).numerator) / Fraction(epsilon).denominator)
                below = mpf(low.numerator) / low.denominator
                above = mpf(high.numerator) / high.denominator
                assert below <= exact <= above
                assert (above - below) / exact <= mpf(10) ** -digits
    assert growth_bracket(0) == (1, 1)


def test_examine_refuses_before_it_computes():
    """A bad claim stops it, whatever else is asked."""
    with pytest.raises(InvalidInput, match="a name in a claim"):
        examine(HALF, claims=["epsilom=1"])
    with pytest.raises(OutOfRange):
        examine(HALF, epsilon=[-1.0])
