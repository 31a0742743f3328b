"""Numbers printed in P1 (Kifer et al.), Tables 1, 2 and 6, and Example 5.6."""

from __future__ import annotations

import math
from fractions import Fraction

EPSILONS = (0.1, 0.5, 1.0, 2.0, 4.0)
TABLE_1 = {  # level: (printed, verdict) for each epsilon
    0.01: (
        (".011", "matches"),
        (".016", "matches"),
        (".027", "matches"),
        (".074", "matches"),
        (".550", "erratum: .546"),
    ),
    0.05: (
        (".055", "matches"),
        (".820", "erratum: .082"),
        (".136", "matches"),
        (".370", "erratum: .369"),
        (".983", "matches"),
    ),
    0.10: (
        (".111", "matches"),
        (".165", "matches"),
        (".272", "matches"),
        (".739", "matches"),
        (".984", "matches"),
    ),
}
TABLE_2 = {  # level: printed power of Gaussian noise, and of any mechanism with rho = 2.63
    0.01: (".49", ".70"),
    0.05: (".74", ".95"),
    0.10: (".84", ".96"),
}
TABLE_6_RHO = 0.1115
ODDS = Fraction(math.e)
EXAMPLE_5_6 = (  # two mechanisms, each (1.01, .02)-pbdp, by what they answer on the two neighbors
    ((ODDS / (1 + ODDS), 1 / (1 + ODDS)), (1 / (1 + ODDS), ODDS / (1 + ODDS))),
    ((Fraction(0), Fraction(1)), (Fraction(1, 100), Fraction(99, 100))),
)

# --- Section 8: the 2020 Census ------------------------------------------------------------------

TABLE_3 = {"persons": "2.56", "housing units": "0.07"}
TABLE_4 = {  # level: share of persons, share of housing units
    "US": ("104/4099", "1/205"),
    "state": ("1440/4099", "1/205"),
    "county": ("447/4099", "7/82"),
    "tract": ("687/4099", "364/1025"),
    "block group": ("1256/4099", "1759/4100"),
    "block": ("165/4099", "99/820"),
}
TABLE_5 = {  # query: cells, then its share at each level
    "TOTAL": (1, "0", "3773/4097", "3126/4097", "1567/4102", "1705/4099", "5/4097"),
    "CENRACE": (63, "52/4097", "6/4097", "10/4097", "4/2051", "3/4099", "9/4097"),
    "HISPANIC": (2, "26/4097", "6/4097", "10/4097", "5/4102", "3/4099", "5/4097"),
    "VOTINGAGE": (2, "26/4097", "6/4097", "10/4097", "5/4102", "3/4099", "5/4097"),
    "HHINSTLEVELS": (3, "26/4097", "6/4097", "10/4097", "5/4102", "3/4099", "5/4097"),
    "HHGQ": (8, "26/4097", "6/4097", "10/4097", "5/4102", "3/4099", "5/4097"),
    "HISPANIC * CENRACE": (
        126,
        "130/4097",
        "12/4097",
        "28/4097",
        "1933/4102",
        "1055/4099",
        "21/4097",
    ),
    "VOTINGAGE * CENRACE": (
        126,
        "130/4097",
        "12/4097",
        "28/4097",
        "10/2051",
        "9/4099",
        "21/4097",
    ),
    "VOTINGAGE * HISPANIC": (4, "26/4097", "6/4097", "10/4097", "5/4102", "3/4099", "5/4097"),
    "VOTINGAGE * HISPANIC * CENRACE": (
        252,
        "26/241",
        "2/241",
        "101/4097",
        "67/4102",
        "24/4099",
        "71/4097",
    ),
    "HHGQ * VOTINGAGE * HISPANIC * CENRACE": (
        2016,
        "189/241",
        "230/4097",
        "754/4097",
        "241/2051",
        "1288/4099",
        "3945/4097",
    ),
}
TABLE_6 = {  # level: printed power of Gaussian noise, as simulated, and of any mechanism
    0.01: (".03", ".03", ".04"),
    0.05: (".12", ".12", ".14"),
    0.10: (".21", ".21", ".24"),
}
EXAMPLES_8_1 = {  # part, query, level: printed rho, and the verdict
    ("housing units", "OCCUPANCY", "county"): (".0060", "matches"),
    ("persons", "VOTINGAGE * CENRACE", "state"): (".0026", "matches"),
    ("persons", "VOTINGAGE * CENRACE", "county"): (".0175", "erratum: .0019"),
}
SLIP = "comes out if every query at the US level is given 52/4097"
SCENARIOS = {  # name: printed rho, printed powers, what the tables add up to, verdict
    "A": (".1115", (".03", ".12", ".21"), ".1115", "matches"),
    "B": (".926", (".17", ".39", ".53"), ".926", "matches"),
    "C": (".952", (".17", ".40", ".54"), "1.010", SLIP),
    "D": (".945", (".17", ".39", ".54"), "1.002", SLIP),
    "E": ("1.32", (".24", ".49", ".63"), "1.38", SLIP),
    "F": (".555", (".10", ".28", ".41"), ".612", SLIP),
    "G": (".969", (), "1.027", SLIP),
    "H": (".968", (), "1.026", SLIP),
}

# --- Section 7: posteriors with and without a record ---------------------------------------------

EXAMPLE_7_1 = {"actual": "1", "counterfactual": ".01", "ratio": "almost 100"}
FIGURES_3_TO_5 = {  # epsilon: the curves at rho = 2.63, to four digits, from their formulas
    3.0: (".04914", ".6795", ".9871"),
    5.0: (".00395", ".2691", ".5863"),
    10.0: ("2.598e-07", ".001393", ".005723"),
    15.0: ("1.474e-13", "7.916e-08", "4.82e-07"),
}
