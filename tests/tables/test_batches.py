"""Tables, row by row what the scalar functions say, to the last bit."""

from __future__ import annotations

import math
import pickle
import threading
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest

from dprisk import ApproxDP, disclosure, row_bounds
from dprisk._numeric.odds import odds
from dprisk.errors import DpriskError, InvalidInput, OutOfRange
from dprisk.risk import attack
from dprisk.tables import OUTPUTS, REASON, TableQuestion, kernel
from dprisk.tables.batches import answered_schema
from dprisk.tables.inputs import SLICE
from dprisk.tables.question import DEFINITIONS

SECRETS = {"add-remove": "membership", "replace-one": "attribute"}
ALL = tuple(name for name in OUTPUTS if name != "both_at_most")  # which has tests of its own
EXTREMES = {
    "epsilon": [0.0, 5e-324, 1e-9, 36.0, 745.0, 1e9, np.inf],
    "delta": [0.0, 5e-324, 1e-10, 0.01, 0.05, 0.3, 1.0],
    "rho": [0.0, 1e-12, 40.0],
    "mu": [0.0, 1e-9, 20.0],
    "alpha": [1.0 + 1e-9, 2.0, 500.0],
    "gamma": [0.0, 1e-9, 50.0],
    "prior": [0.0, 5e-324, 1e-12, 0.5, 1.0 - 1e-16, 1.0],
    "confidence": [0.01, 0.3, 0.5, 0.95, 0.99, 1.0 - 1e-12],
    "level": [0.0, 1e-12, 0.05, 1.0],
    "at_delta": [0.0, 1e-12, 0.05, 1.0],
}
USUAL = {
    "epsilon": (0, 4), "delta": (0, 0.02), "rho": (0, 1), "mu": (0, 2), "alpha": (1.1, 20),
    "gamma": (0, 2), "prior": (0, 1), "confidence": (0.5, 1), "level": (0, 1), "at_delta": (0, 0.1),
}  # fmt: skip


def scalar(definition, neighbors, values, *, sure=True):
    """Each output of one row by the scalar functions; None where they refuse."""
    kind = DEFINITIONS[definition]
    promise = kind.made(tuple(values[name] for name in kind.parameters), neighbors)
    tested = attack(promise, secret=SECRETS[neighbors])
    found = dict.fromkeys(ALL)
    found["power_at_most"] = tested.power(values["level"]).value
    found["advantage_at_most"] = tested.advantage().value
    found["epsilon_at_most"] = promise.epsilon(values["at_delta"]).value
    try:
        moved = disclosure(
            promise,
            secret=SECRETS[neighbors],
            confidence=values["confidence"] if sure else None,
        )
    except DpriskError:  # what is certain stays so
        certain = dict.fromkeys(("posterior_at_most", "posterior_at_least"), values["prior"])
        sure_of = dict.fromkeys(("ratio_at_most", "ratio_at_least"), 1.0)
        known = {0.0: certain, 1.0: certain | sure_of}
        return found | known.get(values["prior"], {})
    belief, ratio = moved.posterior(values["prior"]), moved.ratio(values["prior"])
    found["posterior_at_most"], found["posterior_at_least"] = belief.upper.value, belief.lower.value
    found["ratio_at_most"], found["ratio_at_least"] = ratio.upper.value, ratio.lower.value
    found["odds_at_most"] = moved.odds().upper.value
    found["difference_at_most"] = moved.difference().upper.value
    found["worst_prior"] = moved.worst_prior("difference").upper.value
    return found


def drawn(names, number, seed):
    """Random rows, half of their numbers extreme."""
    rng = np.random.default_rng(seed)
    columns = {}
    for name in names:
        usual = rng.uniform(*USUAL[name], number)
        extreme = rng.choice(EXTREMES[name], number)
        columns[name] = np.where(rng.random(number) < 0.5, usual, extreme)
    return columns


def answered(asked, table):
    """What the kernel says of a table, whatever its batches are."""
    batches = table.to_batches() if isinstance(table, pa.Table) else [table]
    return pa.Table.from_batches(kernel(asked)(iter(batches)))


def assert_same(table, definition, neighbors, columns, *, sure=True):
    for i, row in enumerate(table.to_pylist()):
        values = {name: float(column[i]) for name, column in columns.items()}
        kind, relation = definition[i], neighbors[i]
        expected = scalar(kind, relation, values, sure=sure)
        assert {name: row[name] for name in ALL} == expected, (kind, relation, values)
        assert row[REASON] == (None if expected["odds_at_most"] is not None else row[REASON])


@pytest.mark.parametrize("neighbors", SECRETS)
@pytest.mark.parametrize("definition", DEFINITIONS)
@pytest.mark.parametrize("sure", [True, False])
def test_every_output_of_every_definition_is_the_scalar_one(definition, neighbors, sure):
    names = (*DEFINITIONS[definition].parameters, "prior", "level", "at_delta", "confidence")
    columns = drawn(names, 24, seed=sum(map(ord, definition + neighbors)))
    given = columns if sure else {k: v for k, v in columns.items() if k != "confidence"}
    asked = TableQuestion(
        ALL, {name: name for name in given}, {"definition": definition, "neighbors": neighbors}
    )
    table = answered(asked, pa.RecordBatch.from_pydict(given))
    assert_same(table, [definition] * 24, [neighbors] * 24, columns, sure=sure)


def test_each_row_may_have_a_definition_and_neighbors_of_its_own():
    number, rng = 60, np.random.default_rng(5)
    columns = drawn(USUAL, number, seed=6)
    kinds, relations = rng.choice(list(DEFINITIONS), number), rng.choice(list(SECRETS), number)
    words = {
        "kind": pa.array(kinds).dictionary_encode(),
        "relation": pa.array(relations, pa.large_string()),
    }
    for i in range(number):  # what a definition does not take may be missing
        unused = set(USUAL) - {*DEFINITIONS[kinds[i]].parameters, "prior", "level", "at_delta"}
        for name in unused - {"confidence"}:
            columns[name][i] = np.nan
    asked = TableQuestion(
        ALL, {name: name for name in columns} | {"definition": "kind", "neighbors": "relation"}
    )
    table = answered(asked, pa.RecordBatch.from_pydict(columns | words))
    assert_same(table, kinds, relations, columns)


PURE = {"definition": "pure", "neighbors": "add-remove"}
BELIEF = TableQuestion(["posterior_at_most"], {"epsilon": "eps", "prior": "prior"}, PURE)


def test_rows_that_are_not_valid_say_why_and_lack_everything():
    rows = pa.RecordBatch.from_pydict(
        {
            "eps": [1.0, None, float("nan"), -1.0, 1.0, float("inf")],
            "prior": [0.5, 0.5, 0.5, 0.5, 1.5, 0.5],
            "kind": ["pure"] * 6,
        }
    )
    found = answered(BELIEF, rows)
    assert found[REASON].to_pylist() == [
        None, "missing", "not-a-number", "out-of-range", "out-of-range", "no-bound",
    ]  # fmt: skip
    assert [each is None for each in found["posterior_at_most"].to_pylist()] == [False] + [True] * 5
    words = TableQuestion(
        ["advantage_at_most"], {"epsilon": "eps", "definition": "kind"}, {"neighbors": "add-remove"}
    )
    rows = pa.RecordBatch.from_pydict({"eps": [1.0, 1.0, 1.0], "kind": ["pure", "purr", None]})
    assert answered(words, rows)[REASON].to_pylist() == [None, "unknown-word", "missing"]


@pytest.mark.parametrize("failure", [2.0**-53, 1e-3, 0.7])
def test_a_failure_is_the_number_it_is(failure):
    """The confidence 1 - 2^-53 is another one: it is written 0.9999999999999999."""
    rng = np.random.default_rng(9)
    columns = {"epsilon": rng.uniform(0.0, 5.0, 40), "delta": 10.0 ** rng.uniform(-20, -16.2, 40)}
    asked = TableQuestion(
        ["odds_at_most"],
        {name: name for name in columns},
        {"definition": "approximate", "neighbors": "add-remove", "failure": failure},
    )
    found = answered(asked, pa.RecordBatch.from_pydict(columns))["odds_at_most"].to_pylist()
    for e, d, value in zip(*columns.values(), found, strict=True):
        loss = ApproxDP(e, d, neighbors="add-remove").loss_bound(failure).value
        assert value == float(odds(np.asarray(loss))[1])


@pytest.mark.parametrize("prior", [0.0, -0.0, 1.0])
def test_what_is_certain_needs_no_bound(prior):
    """In a table, and for `row_bounds`; never -0."""
    alone = row_bounds(prior, math.inf, 0.0, 0.0)
    outputs = ["posterior_at_most", "posterior_at_least"]
    rows = pa.RecordBatch.from_pydict({"eps": [math.inf, 1.0], "prior": [prior, prior]})
    found = answered(TableQuestion(outputs, BELIEF.columns, PURE), rows)
    ends = [float(alone.posterior_upper), float(alone.posterior_lower)]
    assert ends == [prior, prior]
    assert [found[name].to_pylist() for name in outputs] == [[end, end] for end in ends]
    assert found[REASON].to_pylist() == [None, None]
    for value in (*ends, *found["posterior_at_most"].to_pylist()):
        assert math.copysign(1.0, value) == 1.0
    more = answered(TableQuestion([*outputs, "odds_at_most"], BELIEF.columns, PURE), rows)
    assert more["posterior_at_most"].to_pylist() == [prior, prior]
    assert more["odds_at_most"].to_pylist()[0] is None
    assert more[REASON].to_pylist() == ["no-bound", None]


def test_a_parameter_that_no_column_has_is_missing():
    asked = TableQuestion(
        ["advantage_at_most"], {"epsilon": "eps", "definition": "kind"}, {"neighbors": "add-remove"}
    )
    rows = pa.RecordBatch.from_pydict({"eps": [1.0, 1.0], "kind": ["pure", "approximate"]})
    assert answered(asked, rows)[REASON].to_pylist() == [None, "missing"]


def test_without_a_bound_on_the_loss_there_is_one_on_tests():
    asked = TableQuestion(
        ["posterior_at_most", "advantage_at_most"],
        {"delta": "delta"},
        {
            "definition": "approximate",
            "epsilon": 1.0,
            "neighbors": "add-remove",
            "prior": 0.5,
            "confidence": 0.99,
        },
    )
    found = answered(asked, pa.RecordBatch.from_pydict({"delta": [0.02, 0.001]}))
    assert found[REASON].to_pylist() == ["no-bound", None]
    assert found["posterior_at_most"].to_pylist()[0] is None
    assert None not in found["advantage_at_most"].to_pylist()


@pytest.mark.parametrize(
    "column",
    [
        pa.array([Decimal("0.1"), Decimal("1.7")], pa.decimal128(38, 30)),
        pa.array([0.1, 1.7], pa.float32()),
        pa.array([1, 2], pa.int64()),
        pa.array([2**53 + 1, 2**62 + 1], pa.int64()),
        pa.array([1, 2], pa.uint8()),
        pa.array([0.1, 1.7]).dictionary_encode(),
        pa.array([None, None], pa.null()),
    ],
    ids=lambda column: str(column.type),
)
def test_columns_of_any_kind_of_number(column):
    asked = TableQuestion(["advantage_at_most"], {"epsilon": "eps"}, PURE)
    found = answered(asked, pa.RecordBatch.from_pydict({"eps": column}))
    given = [None if each is None else float(each) for each in column.to_pylist()]
    expected = [
        None if e is None else DEFINITIONS["pure"].made((e,), "add-remove").advantage().value
        for e in given
    ]
    assert found["advantage_at_most"].to_pylist() == expected


def test_numbers_in_text_are_read_cell_by_cell():
    """What is no number costs its own row alone; the others are those of numbers."""
    cells = {
        "0.5": 0.5, " 1e-3 ": 1e-3, ".25": 0.25, "+2.": 2.0, "inf": math.inf, "1e999": math.inf,
        "1,5": None, "<2": None, "nan": None, "0x1": None, "1_0": None, "one": None, "": None,
    }  # fmt: skip
    constants = {"definition": "pure", "neighbors": "add-remove", "prior": 0.3}
    asked = TableQuestion(["posterior_at_most"], {"epsilon": "eps"}, constants)
    for given in (pa.array([*cells, None]), pa.array([*cells, None]).dictionary_encode()):
        (found,) = kernel(asked)(iter([pa.record_batch({"eps": given})]))
        plain = pa.array([math.nan if cell is None else cell for cell in cells.values()])
        (truth,) = kernel(asked)(iter([pa.record_batch({"eps": plain})]))
        assert found["posterior_at_most"].to_pylist()[:-1] == truth["posterior_at_most"].to_pylist()
        reasons = dict(zip(cells, found[REASON].to_pylist(), strict=False))
        wrong = {"1,5", "<2", "nan", "0x1", "1_0", "one"}
        assert {cell for cell, why in reasons.items() if why == "not-a-number"} == wrong
        assert reasons[""] == found[REASON].to_pylist()[-1] == "missing"


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ({"prior": [0.5]}, "epsilon"),
        ({"eps": [[1.0]], "prior": [0.5]}, "eps"),
        ({"eps": [True], "prior": [[0.5]]}, "eps must .* Also: prior must be a column of"),
        ({"eps": [True], "prior": [0.5]}, "eps"),
        ({"eps": [1.0], "prior": [0.5], "posterior_at_most": [0.5]}, "posterior_at_most"),
        ({"eps": [1.0], "prior": [0.5], REASON: [""]}, REASON),
    ],
)
def test_a_table_that_does_not_fit_is_refused_before_anything_is_computed(columns, says):
    with pytest.raises(InvalidInput, match=says):
        answered(BELIEF, pa.RecordBatch.from_pydict(columns))


def test_a_column_that_is_there_twice_is_refused():
    twice = pa.RecordBatch.from_arrays([pa.array([1.0])] * 3, names=["eps", "eps", "prior"])
    with pytest.raises(InvalidInput, match="once"):
        answered(BELIEF, twice)


def test_slices_and_chunks_change_nothing(monkeypatch):
    monkeypatch.setattr("dprisk.tables.batches.BATCH", SLICE + 3)
    columns = drawn(("epsilon", "prior"), 2 * SLICE + 77, seed=8)
    whole = pa.table({"eps": columns["epsilon"], "prior": columns["prior"]})
    parts = pa.concat_tables([whole.slice(0, 5), whole.slice(5, 0), whole.slice(5)])
    asked = TableQuestion(["posterior_at_most"], {"epsilon": "eps", "prior": "prior"}, PURE)
    assert answered(asked, parts).equals(answered(asked, whole.combine_chunks()))
    assert answered(asked, parts).num_rows == whole.num_rows


FOUR = ("posterior_at_most", "posterior_at_least", "ratio_at_most", "difference_at_most")


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("prior", 0.0, None),
        ("delta", 0.0, None),
        ("failure", 1.5, "out-of-range"),
        ("failure", float("nan"), "not-a-number"),
        ("failure", 1e-9, "no-bound"),
        ("epsilon", float("inf"), "no-bound"),
        ("epsilon", -1.0, "out-of-range"),
        ("delta", 0.5, "no-bound"),
    ],
)
def test_a_special_row_behind_many_usual_ones_changes_only_itself(name, value, reason):
    number, rng = 2 * SLICE + 5, np.random.default_rng(9)
    columns = {
        "prior": rng.uniform(0.01, 0.99, number),
        "epsilon": rng.exponential(1.0, number),
        "delta": 10.0 ** rng.uniform(-8, -5, number),
        "failure": rng.uniform(0.01, 0.1, number),
    }
    asked = TableQuestion(
        FOUR,
        {each: each for each in columns},
        {"definition": "approximate", "neighbors": "add-remove"},
    )
    usual = answered(asked, pa.RecordBatch.from_pydict(columns))
    at = SLICE + 2
    columns[name][at] = value
    found = answered(asked, pa.RecordBatch.from_pydict(columns))
    assert found.slice(0, at).equals(usual.slice(0, at))
    assert found.slice(at + 1).equals(usual.slice(at + 1))
    alone = {each: column[at : at + 1] for each, column in columns.items()}
    expected = answered(asked, pa.RecordBatch.from_pydict(alone)).select([*FOUR, REASON])
    assert found.slice(at, 1).select([*FOUR, REASON]).equals(expected)
    assert found[REASON].to_pylist()[at] == reason
    assert found[FOUR[0]].null_count == (reason is not None)


def test_an_empty_table_has_the_columns_all_the_same():
    empty = pa.RecordBatch.from_pydict(
        {"eps": pa.array([], pa.float64()), "prior": pa.array([], pa.float64())}
    )
    found = answered(BELIEF, empty)
    assert found.num_rows == 0
    assert found.schema.equals(answered_schema(BELIEF, empty.schema), check_metadata=True)
    assert list(kernel(BELIEF)(iter([]))) == []


def test_columns_say_on_which_side_they_err_and_metadata_stays():
    schema = pa.schema([("eps", pa.float64()), ("prior", pa.float64())], {"from": "here"})
    asked = TableQuestion(
        ALL, {"epsilon": "eps", "prior": "prior"}, PURE | {"level": 0.1, "at_delta": 1e-6}
    )
    found = answered(
        asked, pa.RecordBatch.from_pydict({"eps": [1.0], "prior": [0.5]}, schema=schema)
    )
    assert found.schema.metadata == {b"from": b"here"}
    sides = {name: found.schema.field(name).metadata[b"direction"].decode() for name in ALL}
    assert sides == {name: output.direction for name, output in OUTPUTS.items() if name in ALL}
    assert sides["posterior_at_least"] == sides["worst_prior"] == "at least"


def test_it_can_be_sent_to_another_process():
    rows = pa.RecordBatch.from_pydict({"eps": [1.0], "prior": [0.25]})
    (there,) = pickle.loads(pickle.dumps(kernel(BELIEF)))(iter([rows]))
    assert there.equals(next(kernel(BELIEF)(iter([rows]))))


def test_on_one_core_it_starts_no_thread():
    rows = pa.RecordBatch.from_pydict({"eps": [1.0], "prior": [0.25]})
    before = threading.active_count()
    alone = kernel(BELIEF)(iter([rows]), 1)
    there = next(alone)
    assert threading.active_count() == before
    shared = kernel(BELIEF)(iter([rows]), 2)
    assert there.equals(next(shared))
    assert threading.active_count() > before
    assert list(alone) == list(shared) == []


@pytest.mark.parametrize(
    ("outputs", "columns", "constants", "error"),
    [
        ([], {}, PURE | {"epsilon": 1.0}, InvalidInput),
        (["posterior"], {}, PURE | {"epsilon": 1.0}, InvalidInput),
        (["posterior_at_most"], {}, PURE | {"epsilon": 1.0}, InvalidInput),
        (["advantage_at_most"], {}, PURE, InvalidInput),
        (["advantage_at_most"], {"epsilon": "e"}, PURE | {"epsilon": 1.0}, InvalidInput),
        (
            ["advantage_at_most"],
            {"epsilon": "e", "confidence": "c", "failure": "f"},
            PURE,
            InvalidInput,
        ),
        (["advantage_at_most"], {}, PURE | {"epsilon": -1.0}, OutOfRange),
        (["advantage_at_most"], {"epsilon": "e"}, {"definition": "pure"}, InvalidInput),
        (["advantage_at_most"], {"epsilon": "e"}, PURE | {"definition": "purr"}, InvalidInput),
    ],
)
def test_questions_that_cannot_be_answered_are_refused(outputs, columns, constants, error):
    with pytest.raises(error):
        TableQuestion(outputs, columns, constants)
