"""Numbers printed in P1 (Kifer et al.), from the list that ``dprisk reproduce`` checks."""

from __future__ import annotations

import math
from fractions import Fraction

from dprisk.papers import Print
from dprisk.papers.reproduction import printed_in

LEVELS = {0.01: "0.01", 0.05: "0.05", 0.10: "0.10"}
GEOGRAPHY = ("US", "state", "county", "tract", "block group", "block")


def short(text: str) -> str:
    """As P1 prints it: without the zero before the point."""
    return text.removeprefix("0") if text.startswith("0.") else text


def _powers(label: str) -> dict[float, tuple[str, ...]]:
    """For each level Gaussian noise, discrete noise as simulated, and any mechanism."""
    columns = ("Gaussian noise", "discrete Gaussian noise", "any mechanism")
    prints = printed_in("P1", label)
    return {
        level: tuple(short(prints[f"level {text}, {column}"].text) for column in columns)
        for level, text in LEVELS.items()
    }


EPSILONS = (0.1, 0.5, 1.0, 2.0, 4.0)
TABLE_1 = {
    level: tuple(
        printed_in("P1", "Table 1")[f"level {text}, epsilon {epsilon:g}"] for epsilon in EPSILONS
    )
    for level, text in LEVELS.items()
}
TABLE_2 = _powers("Table 2")
TABLE_6 = _powers("Table 6")
TABLE_6_RHO = float(printed_in("P1", "Figure 6")["rho of block-level queries"].text)
ODDS = Fraction(math.e)
EXAMPLE_5_6 = (  # two mechanisms, each (1.01, .02)-pbdp, by what they answer on the two neighbors
    ((ODDS / (1 + ODDS), 1 / (1 + ODDS)), (1 / (1 + ODDS), ODDS / (1 + ODDS))),
    ((Fraction(0), Fraction(1)), (Fraction(1, 100), Fraction(99, 100))),
)

# --- Section 8: the 2020 Census ------------------------------------------------------------------

_TABLE_4, _TABLE_5 = printed_in("P1", "Table 4"), printed_in("P1", "Table 5")
_QUERIES = [what.removesuffix(", cells") for what in _TABLE_5 if what.endswith(", cells")]

TABLE_3 = {part: printed_in("P1", "Table 3")[part].text for part in ("persons", "housing units")}
TABLE_4 = {  # level: share of persons, share of housing units
    level: tuple(_TABLE_4[f"{level}, {part}"].text for part in TABLE_3) for level in GEOGRAPHY
}
TABLE_5 = {  # query: cells, then its share at each level
    query: (
        int(_TABLE_5[f"{query}, cells"].text),
        *(_TABLE_5[f"{query}, {level}"].text for level in GEOGRAPHY),
    )
    for query in _QUERIES
}


def _verdict(printed: Print) -> str:
    return "matches" if printed.correct is None else f"erratum: {short(printed.correct)}"


EXAMPLES_8_1 = {  # part, query, level: printed rho, and the verdict
    (part, query, level): (short(printed.text), _verdict(printed))
    for part, query, level in (
        ("housing units", "OCCUPANCY", "county"),
        ("persons", "VOTINGAGE * CENRACE", "state"),
        ("persons", "VOTINGAGE * CENRACE", "county"),
    )
    for printed in [printed_in("P1", "Section 8.1")[f"{query} in a {level}"]]
}
SLIP = "comes out if every query at the US level is given 52/4097"


def _scenario(label: str) -> tuple[str, tuple[str, ...], str, str]:
    """Printed rho, printed powers, what the tables add up to, verdict."""
    prints = printed_in("P1", label)
    rho = prints["rho"]
    powers = tuple(short(each.text) for what, each in prints.items() if what != "rho")
    ours = short(rho.correct or rho.text)
    return short(rho.text), powers, ours, "matches" if rho.correct is None else SLIP


SCENARIOS = {  # those with a figure of level and power are printed beside it
    "A": (
        short(printed_in("P1", "Figure 6")["rho of block-level queries"].text),
        tuple(row[0] for row in TABLE_6.values()),
        ".1115",
        "matches",
    ),
    "B": _scenario("Figure 10"),
    "C": _scenario("Scenario C"),
    "D": _scenario("Scenario D"),
    "E": _scenario("Figure 12"),
    "F": _scenario("Figure 14"),
    "G": _scenario("Scenario G"),
    "H": _scenario("Scenario H"),
}

# --- Section 7: posteriors with and without a record ---------------------------------------------

_JESSIE = printed_in("P1", "Example 7.1")
EXAMPLE_7_1 = {
    "actual": _JESSIE["posterior with the record, about"].text,
    "counterfactual": short(_JESSIE["posterior without the record"].text),
    "ratio": f"almost {_JESSIE['their ratio, almost'].text}",
}
FIGURES_3_TO_5 = {  # epsilon: the curves at rho = 2.63, to four digits, from their formulas
    3.0: (".04914", ".6795", ".9871"),
    5.0: (".00395", ".2691", ".5863"),
    10.0: ("2.598e-07", ".001393", ".005723"),
    15.0: ("1.474e-13", "7.916e-08", "4.82e-07"),
}
