"""Numbers printed in P3 (Kazan and Reiter): Tables 3 and 4, and the values in the text."""

from __future__ import annotations

TABLE_3 = {  # r: epsilon, standard deviation of the noise, probability of the exact count
    1.5: ("0.51", "2.74", "25%"),
    3.0: ("1.30", "1.02", "57%"),
    6.0: ("2.04", "0.59", "77%"),
}
TABLE_4 = {  # a: the same
    0.025: ("1.09", "1.24", "50%"),
    0.15: ("1.21", "1.10", "54%"),
    0.3: ("2.10", "0.56", "78%"),
}
SIMPLE = {1.5: "0.20", 3.0: "0.55", 6.0: "0.90"}  # half the logarithm, in Section 3.2
LEE_CLIFTON = ("0.41", 4, 1 / 3)  # epsilon, people and posterior, in Section 5.1
