"""Claims about a mechanism, as they are written."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, final

from dprisk._checks import FINITE, PROBABILITY, Domain, one_of, scalar
from dprisk.audit.finite import as_fraction
from dprisk.errors import InvalidInput

__all__ = ["CLAIMS", "LOG", "Claim", "Kind"]

Kind = Literal["pure", "adp", "pdp", "pdp-both", "disclosure", "pbdp", "zcdp", "gdp", "rdp", "tv"]

CLAIMS: Final[Mapping[Kind, tuple[str, ...]]] = {
    "pure": ("epsilon",),
    "adp": ("epsilon", "delta"),
    "pdp": ("epsilon", "delta"),
    "pdp-both": ("epsilon", "delta"),
    "disclosure": ("epsilon", "delta"),
    "pbdp": ("epsilon", "delta"),
    "zcdp": ("rho",),
    "gdp": ("mu",),
    "rdp": ("alpha", "gamma"),
    "tv": ("tv",),
}
"""For each kind of claim, the numbers that make it."""

DOMAINS: Final = {
    "epsilon": FINITE,
    "delta": PROBABILITY,
    "rho": FINITE,
    "mu": FINITE,
    "alpha": Domain(1.0, 1e6, low_open=True, advice="Orders lie above 1, such as 2."),
    "gamma": FINITE,
    "tv": PROBABILITY,
}
LOG = re.compile(r"(?:log|ln)\s*\(\s*([^()]+)\s*\)")
EXAMPLE: Final = 'Such as "epsilon=1, delta=1e-6", "rho=0.1" or "epsilon=log(3)".'


@final
@dataclass(frozen=True)
class Claim:
    """What somebody says that a mechanism keeps.

    Parameters
    ----------
    kind : str
        "pure", "adp" (approximate DP), "pdp" (the loss exceeds epsilon with probability delta at
        most), "pdp-both" (its absolute value does), "disclosure" (P4, Definition 8), "pbdp",
        "zcdp", "gdp", "rdp" or "tv" (total variation).
    given : tuple of (str, str)
        Names of its numbers, with their text: decimals, fractions, and log(3) for epsilon.

    Raises
    ------
    InvalidInput
        If the kind is unknown, or its numbers are others.
    OutOfRange
        If a number is out of its range.

    Examples
    --------
    >>> from dprisk.audit import Claim
    >>> Claim.of("epsilon=1, delta=1e-6, kind=pdp").kind
    'pdp'
    >>> str(Claim.of("epsilon=log(3)"))
    'epsilon=log(3)'
    """

    kind: Kind
    given: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        one_of("kind", self.kind, CLAIMS)
        names = tuple(name for name, _ in self.given)
        if sorted(names) != sorted(CLAIMS[self.kind]):
            allowed = f"with {' and '.join(CLAIMS[self.kind])} for kind {self.kind}"
            raise InvalidInput("a claim", ", ".join(names) or None, allowed, EXAMPLE)
        for name in names:
            scalar(f"{name} of a claim", self.number(name), DOMAINS[name])

    @classmethod
    def of(cls, text: str) -> Claim:
        """Read a claim.

        Parameters
        ----------
        text : str
            ``name=value`` pairs, separated by commas, with the kind if the names do not tell it.

        Returns
        -------
        Claim
            Checked.

        Raises
        ------
        InvalidInput
            If it cannot be read; the message says what a claim looks like.
        OutOfRange
            If a number is out of its range.
        """
        if not isinstance(text, str):
            raise InvalidInput("a claim", text, "text", EXAMPLE)
        found: dict[str, str] = {}
        for part in text.split(","):
            name, sign, value = (piece.strip() for piece in part.partition("="))
            if not sign or not value or name in found:
                raise InvalidInput("a claim", text, "name=value pairs, each once", EXAMPLE)
            known = (*DOMAINS, "kind")
            found[one_of("a name in a claim", name, known)] = value
        kind = found.pop("kind", None)
        if kind is not None:
            return cls(one_of("kind", kind, CLAIMS), tuple(found.items()))
        fits = [kind for kind, names in CLAIMS.items() if sorted(names) == sorted(found)]
        if not fits:
            raise InvalidInput("a claim", text, "about one definition", EXAMPLE)
        return cls(fits[0], tuple(found.items()))

    def number(self, name: str) -> float:
        """One of its numbers.

        Parameters
        ----------
        name : str
            Such as "epsilon".

        Returns
        -------
        float
            As near as floats come.

        Raises
        ------
        InvalidInput
            If its text is no number.
        """
        exact, growth = self.rational(name), self.growth
        if exact is not None:
            return float(exact)
        if name == "epsilon" and growth is not None:
            return math.log(growth.numerator) - math.log(growth.denominator)
        text = dict(self.given)[name]
        raise InvalidInput(f"{name} of a claim", text, "a number", EXAMPLE)

    def rational(self, name: str) -> Fraction | None:
        """One of its numbers as a fraction.

        Parameters
        ----------
        name : str
            Such as "delta".

        Returns
        -------
        Fraction or None
            None for a logarithm.
        """
        return as_fraction(dict(self.given)[name])

    @property
    def growth(self) -> Fraction | None:
        """e^epsilon, where epsilon was written as a logarithm."""
        found = LOG.fullmatch(dict(self.given).get("epsilon", ""))
        exact = as_fraction(found[1]) if found else None
        return exact if exact is not None and exact >= 1 else None

    def __str__(self) -> str:
        text = ", ".join(f"{name}={value}" for name, value in self.given)
        plain = next(kind for kind in CLAIMS if sorted(CLAIMS[kind]) == sorted(dict(self.given)))
        return text if plain == self.kind else f"{text}, kind={self.kind}"
