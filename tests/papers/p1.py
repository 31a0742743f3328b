"""Numbers printed in P1 (Kifer et al.), Tables 1 and 2."""

from __future__ import annotations

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
