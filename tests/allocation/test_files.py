"""Tables from CSV, Parquet, data frames and descriptions; and what is wrong with the bad ones."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

from dprisk.allocation import allocate, read_allocation
from dprisk.errors import InvalidFile, InvalidInput
from tests.allocation.tables import CSV, DESCRIPTION, NESTED, ROWS, single, town

OPTIONS = {"levels": NESTED, "moves": 2, "noise": "discrete-gaussian"}


def plain(made):
    """Queries without their rows and cells."""
    return [replace(query, row="", cells=None) for query in made.queries]


def written(folder, text, name="town.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


# --- the same table, from everywhere -------------------------------------------------------------


def test_csv(tmp_path):
    made = read_allocation(written(tmp_path, CSV), **OPTIONS)
    assert plain(made) == plain(town())
    assert [q.row for q in made.queries] == [f"line {n}" for n in range(2, 7)]
    assert [q.cells for q in made.queries] == [1, 1, 5, 10, 2]
    assert made.total == Fraction(1, 5)


def test_csv_as_spreadsheets_write_it(tmp_path):
    """A mark at the start, other line ends, blank lines, spaces, capitals in the first line."""
    text = "\ufeff" + CSV.replace("query,", "Query , ", 1).replace("\n", "\r\n").replace(
        "income,income,", '\r\n"income", income ,'
    )
    assert plain(read_allocation(written(tmp_path, text), **OPTIONS)) == plain(town())


def test_data_frames():
    frame = pyarrow.table({key: [row[key] for row in ROWS] for key in ROWS[0]})
    assert plain(allocate(frame, **OPTIONS)) == plain(town())


def test_parquet(tmp_path):
    frame = pyarrow.table({key: [row[key] for row in ROWS] for key in ROWS[0]})
    path = tmp_path / "town.parquet"
    pyarrow.parquet.write_table(frame, path)
    assert plain(read_allocation(path, **OPTIONS)) == plain(town())


def test_descriptions(tmp_path):
    path = written(tmp_path, DESCRIPTION, "survey.yaml")
    made = read_allocation(path)
    assert made.total == Fraction(6, 10)
    assert [str(q.amount) for q in made.queries] == ["1/12", "1/24", "3/8", "1/20", "1/20"]
    assert made.exposure("gender").amount == Fraction(3, 8)
    assert made.exposure("rooms at home").amount == Fraction(1, 10)
    assert made.source == ("Town council",)
    rows = "part,query,attributes,level,share\n" + "\n".join(
        [
            "people,residents,,region,2/3",
            "people,income,income,region,1/3",
            "people,income by sex,income * sex,town,1",
            "homes,rooms,rooms,region,0.5",
            "homes,rooms,rooms,town,0.5",
        ]
    )
    written(tmp_path, rows, "rows.csv")
    start, end = DESCRIPTION.index("table:"), DESCRIPTION.index("scenarios:")
    text = DESCRIPTION[:start] + "table: rows.csv\n" + DESCRIPTION[end:]
    apart = read_allocation(written(tmp_path, text, "apart.yaml"))
    assert plain(apart) == plain(made)


def test_csv_needs_no_library(tmp_path):
    """Nor does the shipped table: neither narwhals nor anything it reads is imported."""
    path = written(tmp_path, CSV)
    code = (
        "import sys; from dprisk.allocation import *; "
        f"read_allocation({str(path)!r}, levels=('region', 'town')); census2020(); "
        "print({'narwhals', 'pandas', 'polars', 'pyarrow', 'pydantic'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout == "set()\n"


def test_parquet_without_a_reader(tmp_path, monkeypatch):
    monkeypatch.setattr("dprisk.allocation.rows.find_spec", lambda name: None)
    with pytest.raises(InvalidFile, match="Install one of pyarrow, polars, pandas, or save"):
        read_allocation(tmp_path / "town.parquet")


# --- numbers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "amount"),
    [
        ("52/4097", Fraction(52, 4097)),
        (" 52 / 4097 ", Fraction(52, 4097)),
        ("2.56", Fraction(64, 25)),
        ("1e-3", Fraction(1, 1000)),
        (0.1, Fraction(1, 10)),
        (np.float64(0.1), Fraction(1, 10)),
        (np.int64(2), Fraction(2)),
        (Decimal("0.3"), Fraction(3, 10)),
        (Fraction(1, 3), Fraction(1, 3)),
        ("1e-100", Fraction(1, 10**100)),
    ],
)
def test_amounts_are_exact(written, amount):
    assert single("rho", written).total == amount


@pytest.mark.parametrize(
    "bad", ["-1/2", -0.5, "x", "", None, float("nan"), "inf", "1/0", True, "1e7", "1e99999", "½"]
)
def test_amounts_out_of_range(bad):
    with pytest.raises(InvalidFile, match=r"table, row 2: rho must be a number in \[0, 1000000\]"):
        single("rho", "0.1", bad)


def test_next_to_nothing_is_refused():
    with pytest.raises(InvalidFile, match="row 1: rho must be 0 or at least 1e-100"):
        single("rho", "1e-300")


def test_mu_adds_in_squares():
    made = single("mu", 3, 4)
    assert (made.accounting, made.total) == ("gdp", 25)
    made = single("share", "9/25", "16/25", accounting="gdp", amount=5)
    assert [q.amount for q in made.queries] == [9, 16]


def test_shares_of_floats_may_miss_one_by_their_rounding():
    assert single("share", *[1 / 7] * 7, amount=1).total == pytest.approx(1.0)


# --- what is wrong, and where --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            ("0.03", "-0.03"),
            "line 4: rho must be a number in [0, 1000000], got '-0.03'. It cannot be",
        ),
        (("0.03", "three"), "line 4: rho must be a number in [0, 1000000], got 'three'"),
        (("0.03", ""), "line 4: rho must be a number in [0, 1000000], but nothing was given"),
        (("income,income,region,5", "income,income,regoin,5"), "line 4: The level 'regoin' is"),
        (("income,income,region,5", "income,income,regoin,5"), "Did you mean 'region'?"),
        (("income,income,region,5", "income,income,,5"), "line 4: The level is missing. Known"),
        (("region,5", "region,0"), "line 4: cells must be a whole number in [1, 10^9], got '0'"),
        (("income,income", ",income"), "line 4: The query has no name."),
        (
            ("sex,sex,town", "Residents,,town"),
            "line 6: The query 'Residents' at town is also in line 3",
        ),
        (("region,5,", "region,"), "line 4: It has 4 values, and the first line 5 columns."),
        ((",rho", ",rhoo"), "The column 'rhoo' is unknown. Did you mean 'rho'?"),
        ((",rho", ",cells"), "The column 'cells' occurs twice."),
        (("query,", "part,"), "There is no column 'query'."),
        (("cells,rho", "rho,mu"), "line 2: The row gives rho and mu. Give one of them"),
        (("cells,rho", "cells,moves"), "There is no column of amounts."),
        ((CSV, ""), "It is empty."),
        ((CSV, "query,rho\n"), "The table has no rows."),
        ((CSV, "query,level,rho\na,town,0\n"), "Every rho is 0."),
        ((CSV, "query,rho\n\x00"), "line 2"),
    ],
)
def test_bad_tables(tmp_path, change, says):
    path = written(tmp_path, CSV.replace(*change))
    with pytest.raises(InvalidFile) as error:
        read_allocation(path, **OPTIONS)
    assert says in str(error.value)
    assert "town.csv" in str(error.value)


def test_files_that_are_none(tmp_path):
    for name, says in [
        ("none.csv", "There is no such file"),
        ("none.parquet", "There is no such file"),
        ("none.yaml", "There is no such file"),
        ("town.xlsx", "does not end in one of .csv"),
    ]:
        with pytest.raises(InvalidFile, match=says):
            read_allocation(tmp_path / name)
    (tmp_path / "bytes.csv").write_bytes(b"query,rho\n\xff,1\n")
    with pytest.raises(InvalidFile, match="line 2: It is not UTF-8 text"):
        read_allocation(tmp_path / "bytes.csv")
    with pytest.raises(InvalidFile, match="cannot be read as Parquet"):
        read_allocation(written(tmp_path, "no", "no.parquet"))


def test_arguments_are_for_tables():
    with pytest.raises(InvalidInput, match="moves must be left out when a description"):
        read_allocation("census2020", moves=2)


@pytest.mark.parametrize("table", [3, "town.csv", {"query": "a"}, [1, 2]])
def test_what_is_no_table(table):
    with pytest.raises(InvalidInput, match="table must be rows"):
        allocate(table)


def test_what_does_not_fit_together():
    with pytest.raises(InvalidFile, match="The table gives rho, but the accounting is pure"):
        single("rho", "0.1", accounting="pure")
    with pytest.raises(InvalidFile, match="The table gives shares, but no amount to share out"):
        single("share", "1")
    with pytest.raises(InvalidFile, match="an amount to share out is declared as well"):
        single("rho", "1", amount=1)
    with pytest.raises(InvalidInput, match="amount must be a number in"):
        single("share", "1", amount="much")
    with pytest.raises(InvalidInput, match="moves must be a whole number"):
        single("rho", "1", moves=0)
    with pytest.raises(InvalidFile, match="row 1: The level 'town' is not declared"):
        allocate([{"query": "a", "level": "town", "rho": 1}])
