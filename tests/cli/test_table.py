"""``dprisk table``: from a file to a file, with counts."""

from __future__ import annotations

import math

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dprisk import PureDP, disclosure
from tests.cli.running import ADD_REMOVE, run


@pytest.fixture
def people(tmp_path):
    rows = {"eps": [0.1, 1.0, 4.0, -1.0], "belief": [0.1, 0.5, 0.5, 0.5]}
    pq.write_table(pa.table(rows), tmp_path / "people.parquet")
    return tmp_path / "people.parquet"


def asked(people, *more):
    columns = (
        "--column",
        "epsilon=eps",
        "--column",
        "prior=belief",
        "--output-column",
        "posterior",
    )
    return run(
        "table", people, "-o", people.with_name("risk.parquet"), *columns, *ADD_REMOVE, *more
    )


def test_it_writes_the_table_and_counts(people):
    done = asked(people)
    assert done.code == 0
    assert "3 of 4 rows were read." in done.out
    found = pq.read_table(people.with_name("risk.parquet")).to_pylist()
    sure = disclosure(PureDP(1.0, neighbors="add-remove"))
    assert found[1]["posterior_at_most"] == sure.posterior(0.5).upper.value
    assert found[3]["dprisk_reason"] == "out-of-range"
    assert "Rows with a value that is out of range: 1." in done.out


def test_limits_end_with_code_3(people):
    done = asked(people, "--limit", "posterior=0.9", "--json")
    assert done.code == 3
    assert done.data["above"] == {"posterior_at_most": 1}
    assert done.data["limits"] == {"posterior_at_most": 0.9}
    assert done.data["reasons"] == {"out-of-range": 1}
    assert sum(done.data["histograms"]["posterior_at_most"]) == 3


def test_a_page_shows_the_rows(people):
    page = people.with_name("risk.html")
    done = asked(people, "--limit", "posterior=0.9", "--page", page, "-q")
    assert done.code == 3
    assert "For at most 1 of 3 rows" in page.read_text(encoding="utf-8")


def test_a_page_has_a_place_of_its_own(people):
    for place in (people, people.with_name("risk.parquet")):
        done = asked(people, "--force", "--page", place)
        assert done.code == 2 and "Error: " in done.err
    assert [path.name for path in people.parent.iterdir()] == ["people.parquet"]


@pytest.mark.parametrize("engine", ["polars", "arrow"])
def test_every_engine_says_the_same(people, engine):
    first = asked(people)
    assert asked(people, "--force", "--engine", engine).out == first.out


def test_a_cell_that_is_no_number_costs_its_row(tmp_path):
    """In a CSV file a single one makes all of its column text."""
    table = tmp_path / "people.csv"
    table.write_text('eps,belief\n1,0.1\n"1,5",0.5\n0.5,0.5\n<2,0.5\n')
    done = asked(table)
    assert done.code == 0 and "2 of 4 rows were read." in done.out
    assert "not a number: 2. The first is row 1, counted from 0." in " ".join(done.out.split())
    (first, _, third, _) = pq.read_table(tmp_path / "risk.parquet")["posterior_at_most"].to_pylist()
    for found, epsilon, prior in ((first, 1.0, 0.1), (third, 0.5, 0.5)):
        sure = disclosure(PureDP(epsilon, neighbors="add-remove"))
        assert found == sure.posterior(prior).upper.value
    assert asked(table, "--force", "--json").data["first_rows"] == {"not-a-number": 1}


def test_all_that_is_missing_is_said_at_once(people):
    done = run("table", people, "-o", "x.parquet", "--output-column", "power", "--epsilon", "1",
               "--output-column", "posterior")  # fmt: skip
    assert done.code == 2
    for name in ("neighbors", "level", "prior"):
        assert f"{name} " in done.err


def test_the_name_of_the_result_says_what_it_is(people):
    done = asked(people, "-o", people.with_name("risk.xlsx"))
    assert done.code == 2 and "--output" in done.err and ".parquet" in done.err
    assert [path.name for path in people.parent.iterdir()] == ["people.parquet"]


def test_rows_of_a_person_are_added_up(tmp_path):
    charges = tmp_path / "charges.csv"
    charges.write_text("who,eps\nann,1\nbob,0.25\nann,0.5\ncem,?\n")
    options = ("--column", "epsilon=eps", "--prior", "0.1", "--output-column", "posterior")
    out = tmp_path / "risk.parquet"
    done = run("table", charges, "-o", out, *options, *ADD_REMOVE, "--person", "who")
    assert done.code == 0 and "2 of 3 people have numbers" in done.out
    ann, bob, cem = pq.read_table(out).to_pylist()
    for found, name, epsilon, count in ((ann, "ann", 1.5, 2), (bob, "bob", 0.25, 1)):
        sure = disclosure(PureDP(epsilon, neighbors="add-remove"))
        assert (found["who"], found["charges"]) == (name, count)
        assert found["posterior_at_most"] == sure.posterior(0.1).upper.value
        assert found["posterior_at_most"] >= 0.1 * math.exp(epsilon) / (
            0.9 + 0.1 * math.exp(epsilon)
        ) * (1 - 1e-15)
    assert (cem["who"], cem["dprisk_reason"]) == ("cem", "not-a-number")
    alone = run("table", charges, "-o", out, *options, *ADD_REMOVE, "--force")
    assert "name the column of the person with --person" in " ".join(alone.out.split())
    for more in (["name"], ["who", "--engine", "polars"], ["who", "--strict"]):
        given = (*options, *ADD_REMOVE, "--person", *more)
        done = run("table", charges, "-o", tmp_path / "no.parquet", *given)
        assert done.code == 2 and done.err.count("\n") == 1
    charges.write_text("who,eps\nann,1\n,0.25\n")
    done = run("table", charges, "-o", tmp_path / "no.parquet", *options, *ADD_REMOVE,
               "--person", "who")  # fmt: skip
    assert done.code == 2 and "Rows that do not say so: 1." in done.err
    assert not (tmp_path / "no.parquet").exists()


def test_strict_lists_rows(people):
    done = asked(people, "--strict")
    assert done.code == 2
    assert "row 3 (out-of-range)" in done.err
    assert not people.with_name("risk.parquet").exists()


@pytest.mark.parametrize(
    "more",
    [
        ("--column", "epsilon"),
        ("--column", "epsilon=other"),
        ("--column", "colour=eps"),
        ("--epsilon", "1"),
        ("--limit", "power=0.5"),
        ("--memory", "much"),
        ("--engine", "abacus"),
        ("--output-column", "fear"),
        ("--definition", "gaussian"),
    ],
)
def test_bad_options_are_refused_before_anything_is_written(people, more):
    done = asked(people, *more)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("Error: ") and done.err.count("\n") == 1
    assert [path.name for path in people.parent.iterdir()] == ["people.parquet"]


def test_what_is_left_out_is_asked_for(people):
    assert "-o" in run("table", people).err
    assert "epsilon" in run("table", people, "-o", "x.parquet", "--output-column", "odds").err


def columns_of(tmp_path, **tables):
    """Parquet files by these names, and what is asked of them."""
    for name, columns in tables.items():
        pq.write_table(pa.table(columns), tmp_path / f"{name}.parquet")
    names = [tmp_path / f"{name}.parquet" for name in tables]
    asked = ("--column", "epsilon=eps", "--prior", "0.1", "--output-column", "posterior")
    return ("table", *names, "-o", tmp_path / "out.parquet", *asked, *ADD_REMOVE)


def test_people_of_different_kinds_are_no_people_together(tmp_path):
    asked = columns_of(tmp_path, a={"who": [7], "eps": [0.1]}, b={"who": ["007"], "eps": [0.1]})
    done = run(*asked, "--person", "who")
    assert done.code == 2 and "The files have different columns" in done.err


@pytest.mark.parametrize("taken", ["charges", "posterior_at_most"])
def test_a_person_is_not_called_as_a_result_is(tmp_path, taken):
    done = run(*columns_of(tmp_path, a={taken: [1], "eps": [0.1]}), "--person", taken)
    assert done.code == 2 and "Rename" in done.err


def test_people_have_the_limits_and_the_page_that_rows_have(tmp_path):
    asked = columns_of(tmp_path, a={"who": [1, 1, 2], "eps": [0.4, 0.4, 0.1]})
    person = ("--person", "who")
    low = run(*asked, *person, "--limit", "posterior=0.05")
    assert low.code == 2 and "must be above 0.1, the highest prior" in low.err
    page = tmp_path / "page.html"
    done = run(*asked, *person, "--limit", "posterior=0.15", "--page", page)
    assert done.code == 3 and "People with posterior_at_most above 0.15" in done.out
    said = page.read_text(encoding="utf-8")
    assert "2 of 2 people have numbers" in said and "disclosure risk by person" in said
    assert "For at most 1 of 2 people, the chance after the release exceeds 15 in 100" in said
    for rows in ("Rows by risk", "rows were read", "of 2 rows"):
        assert rows not in said


def test_an_empty_table_has_no_people(tmp_path):
    (tmp_path / "none.csv").write_text("who,eps\n", encoding="utf-8")
    asked = ("--column", "epsilon=eps", "--prior", "0.1", "--output-column", "posterior")
    done = run("table", tmp_path / "none.csv", "-o", tmp_path / "out.parquet", *asked,
               *ADD_REMOVE, "--person", "who")  # fmt: skip
    assert done.code == 2 and "no rows" in done.err


@pytest.mark.parametrize("person", [(), ("--person", "who")], ids=["rows", "people"])
def test_a_name_is_not_a_pattern(tmp_path, person):
    """A file whose name has brackets is read, and not the one that they would match."""
    (tmp_path / "b[1].csv").write_text("who,eps\n1,0.1\n", encoding="utf-8")
    (tmp_path / "b1.csv").write_text("who,eps\n1,4.0\n", encoding="utf-8")
    out = tmp_path / "out.parquet"
    asked = ("--column", "epsilon=eps", "--prior", "0.1", "--output-column", "posterior")
    assert run("table", tmp_path / "b[1].csv", "-o", out, *asked, *ADD_REMOVE, *person).code == 0
    (most,) = pq.read_table(out)["posterior_at_most"].to_pylist()
    assert most == pytest.approx(0.1 * math.exp(0.1) / (0.9 + 0.1 * math.exp(0.1)), rel=1e-12)
