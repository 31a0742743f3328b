"""Claims: a definition of privacy with its numbers, asked of finite mechanisms and decided
exactly."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, Final, Literal, final

from dprisk._checks import FINITE, NONNEGATIVE, PROBABILITY, Domain, scalar
from dprisk._values import result
from dprisk.audit import pairs
from dprisk.audit.finite import FiniteMechanism, Row
from dprisk.audit.growth import Growth, as_fraction, brief, chance
from dprisk.audit.relation import Compared, ordered
from dprisk.audit.subsets import Predicate, concentrated, excepting
from dprisk.errors import InvalidInput, NoConversion, OutOfRange, one_of
from dprisk.guarantees.base import Guarantee
from dprisk.text import fill

Kind = Literal[
    "pure",
    "adp",
    "pdp",
    "pdp-both",
    "disclosure",
    "pbdp",
    "pointwise",
    "zcdp",
    "gdp",
    "rdp",
    "tv",
    "given",
]
PAIR: Final = ("epsilon", "delta")

CLAIMS: Final[Mapping[str, tuple[str, ...]]] = {
    "pure": ("epsilon",),
    **dict.fromkeys(("adp", "pdp", "pdp-both", "disclosure", "pbdp", "pointwise"), PAIR),
    "zcdp": ("rho",),
    "gdp": ("mu",),
    "rdp": ("alpha", "gamma"),
    "tv": ("tv",),
}
"""For each kind of claim that can be written, the numbers that make it."""

OPTIONAL: Final = {"zcdp": {"xi", "delta"}}
DOMAINS: Final = {
    **dict.fromkeys(("epsilon", "rho", "xi", "mu", "gamma"), FINITE),
    **dict.fromkeys(("delta", "tv"), PROBABILITY),
    "alpha": Domain(1.0, 1e6, low_open=True, advice=fill("errors.order")),
}


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Claim:
    """A definition of privacy with its numbers, to be asked of finite mechanisms.

    Parameters
    ----------
    kind : str
        "pure", "adp" (approximate DP), "pdp" (the loss exceeds epsilon with probability delta at
        most), "pdp-both" (its absolute value does), "disclosure" (P4, Definition 8), "pbdp",
        "pointwise" (single outputs only: not a definition of privacy), "zcdp", "gdp", "rdp", "tv"
        (total variation), or "given" for a predicate.
    given : tuple of (str, str or number)
        Its numbers by name, as text (decimals, fractions, and log(3) for epsilon) or as they are.
    test : callable, optional
        The predicate of a claim that is given as one.
    called : str
        Its name, likewise.

    Raises
    ------
    InvalidInput
        If the kind is unknown, or its numbers are others; `OutOfRange` for a number out of range.

    Examples
    --------
    >>> from dprisk.audit import Claim, FiniteMechanism
    >>> coin = FiniteMechanism([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> Claim.of("epsilon=log(3)").holds(coin), Claim.at("adp", 1).holds(coin)
    (True, False)
    """

    kind: Kind
    given: tuple[tuple[str, Any], ...]
    test: Predicate | None = None
    called: str = ""

    def __post_init__(self) -> None:
        if self.kind == "given":
            return
        one_of("kind", self.kind, CLAIMS)
        names = [name for name, _ in self.given]
        if len(set(names)) < len(names) or self.kind not in kinds_of(dict(self.given)):
            needs = f"with {' and '.join(CLAIMS[self.kind])} for kind {self.kind}"
            raise _refused(", ".join(names) or None, needs)
        for name in names:
            scalar(f"{name} of a claim", number_of(self, name), DOMAINS[name])

    @classmethod
    def of(cls, definition: Any) -> Claim:
        """Read a claim, or make one of a promise or a predicate.

        Parameters
        ----------
        definition : str, Claim, Guarantee or callable
            Text: ``name=value`` pairs, separated by commas, with the kind if the names do not tell
            it. A guarantee of pure, approximate, probabilistic or probabilistically bounded DP or
            zCDP, whose floats are read as the binary fractions they are. Or a predicate on the
            exact rows of two neighbors (tuples of Fraction), asked for both directions of each
            pair.

        Returns
        -------
        Claim
            Checked. Of a guarantee: the same promise, of the raw output.

        Raises
        ------
        InvalidInput
            If text cannot be read; the message says what a claim looks like.
        NoConversion
            If the definition cannot be asked of a table: ask its profile instead.
        """
        if isinstance(definition, Claim):
            return definition
        if isinstance(definition, str):
            return cls(*_read(definition))
        if isinstance(definition, Guarantee):
            return _promised(definition)
        if callable(definition) and not isinstance(definition, type):
            return cls("given", (), definition, "the property")
        raise NoConversion(
            f"{definition!r} is neither a definition nor a predicate on the rows of two neighbors. "
            "Write a claim such as epsilon=1, delta=1e-6."
        )

    @classmethod
    def at(cls, kind: Kind, epsilon: Any, delta: Any = 0) -> Claim:
        """A claim of any kind that has an epsilon and a delta.

        Parameters
        ----------
        kind : {"adp", "pdp", "pdp-both", "disclosure", "pbdp", "pointwise"}
            Which definition.
        epsilon : Fraction, int, float, str or Growth
            Privacy loss limit. [0, 700], nats
        delta : Fraction, int, float or str
            What is granted. [0, 1]

        Returns
        -------
        Claim
            In exact numbers.
        """
        return cls(kind, (("epsilon", Growth.of(epsilon)), ("delta", chance("delta", delta))))

    @classmethod
    def concentrated(cls, rho: float, *, xi: float = 0.0, delta: Any = 0) -> Claim:
        """Approximate zCDP whose event is a set of outputs, as P4 reads it (Definition 6).

        In its source (Bun and Steinke 2016, Definition 8.1) the event may depend on coins of its
        own, and it survives post-processing; tied to outputs it does not. Decided in floating
        point: it is said to fail only if a divergence is beyond its bound by more than 1e-9. At
        most 12 outputs.

        Parameters
        ----------
        rho : float
            Slope of the bound xi + rho alpha. [0, inf), nats
        xi : float
            Its offset. [0, inf), nats
        delta : Fraction, int, float or str
            Probability of the outputs that are left out. [0, 1]

        Returns
        -------
        Claim
            With the exponent that is missing in P4.
        """
        slope, offset = scalar("rho", rho, NONNEGATIVE), scalar("xi", xi, NONNEGATIVE)
        return cls("zcdp", (("rho", slope), ("xi", offset), ("delta", chance("delta", delta))))

    @classmethod
    def excepting(cls, delta: Any, predicate: Predicate, *, name: str = "the property") -> Claim:
        """A delta-approximate property: all sets of outputs keep it, but for a bad one (P4,
        Definition 5).

        Parameters
        ----------
        delta : Fraction, int, float or str
            Probability of the bad set, at most. [0, 1]
        predicate : callable
            From P and Q restricted to a set of outputs (tuples of Fraction, not divided by their
            sum) to whether they keep it.
        name : str
            How sentences call it.

        Returns
        -------
        Claim
            All subsets are tried: at most 12 outputs.
        """
        slack = chance("delta", delta)
        test = partial(excepting, delta=slack, predicate=predicate)
        return cls("given", (("delta", slack),), test, f"{brief(slack)}-approximate {name}")

    @property
    def growth(self) -> Growth | None:
        """e^epsilon, where there is one."""
        epsilon = dict(self.given).get("epsilon")
        return None if epsilon is None else Growth.of(epsilon)

    @property
    def delta(self) -> Fraction:
        """The probability or slack that is granted; 0 where there is none."""
        return chance("delta", dict(self.given).get("delta", 0))

    @property
    def name(self) -> str:
        """How sentences call it, such as "(1, 0.01)-ADP"."""
        if self.kind == "given":
            return self.called
        if self.kind == "zcdp":
            about = fill("audit.claim.about", delta=brief(self.delta)) if self.delta else ""
            xi, rho = (f"{number_of(self, name):g}" for name in ("xi", "rho"))
            return fill("audit.claim.zcdp", about=about, xi=xi, rho=rho)
        if self.growth is None or self.kind == "disclosure":
            return self._text
        return fill(f"audit.claim.{self.kind}", numbers=f"({self.growth}, {brief(self.delta)})")

    @cached_property
    def keeps(self) -> Predicate:
        """Predicate on the exact rows of two neighbors: whether they keep the claim."""
        if self.test is not None:
            return self.test
        if self.kind == "tv":
            total = chance("tv", dict(self.given)["tv"])
            return partial(pairs.approximate, growth=Growth(1), delta=total)
        if self.kind == "zcdp":
            rho, xi = number_of(self, "rho"), number_of(self, "xi")
            return partial(concentrated, rho=rho, xi=xi, delta=self.delta)
        if self.kind not in DECIDED or self.growth is None:
            raise NoConversion(f"A claim of kind {self.kind} has no exact decision. Ask check().")
        return partial(DECIDED[self.kind], growth=self.growth, delta=self.delta)

    def holds(self, mechanism: FiniteMechanism, neighbors: Compared = "all") -> bool:
        """Whether a mechanism keeps it.

        Parameters
        ----------
        mechanism : FiniteMechanism
            Read in exact fractions.
        neighbors : "all", "hamming", NeighborRelation, or iterable of (str, str)
            Which datasets are compared, as in `audit`.

        Returns
        -------
        bool
            For all ordered pairs of neighbors.

        Raises
        ------
        NoConversion
            If it is not about pairs of rows, or not rational: `check` judges it.
        """
        return breaking_pair(self, mechanism, neighbors) is None

    @property
    def _text(self) -> str:
        return ", ".join(f"{name}={value}" for name, value in self.given)

    def __str__(self) -> str:
        if not self.given or not all(isinstance(value, str) for _, value in self.given):
            return self.name
        plain = self.kind in kinds_of(dict(self.given))[:1]
        return self._text if plain else f"{self._text}, kind={self.kind}"


def _probabilistic(p: Row, q: Row, growth: Growth, delta: Fraction, *, both: bool = False) -> bool:
    return pairs.tail(p, q, growth, both=both) <= delta


def number_of(claim: Claim, name: str) -> float:
    """One of the numbers of a claim, as near as floats come; 0 for an optional one not given."""
    numbers = dict(claim.given)
    if name not in numbers and name in OPTIONAL.get(claim.kind, ()):
        return 0.0
    exact = rational_of(claim, name)
    if exact is not None:
        return float(exact)
    if name == "epsilon":
        with suppress(OutOfRange):
            return Growth.of(numbers[name]).nats()
    raise _refused(numbers[name], "a number", f"{name} of a claim")


def rational_of(claim: Claim, name: str) -> Fraction | None:
    """One of the numbers of a claim as a fraction; None for a logarithm."""
    value = dict(claim.given)[name]
    return value.epsilon if isinstance(value, Growth) else as_fraction(value)


DECIDED: Final[dict[str, Callable[..., bool]]] = {
    "pure": pairs.approximate,
    "adp": pairs.approximate,
    "pdp": _probabilistic,
    "pdp-both": partial(_probabilistic, both=True),
    "pbdp": pairs.bounded,
    "pointwise": pairs.pointwise,
}


def breaking_pair(
    claim: Claim, mechanism: FiniteMechanism, neighbors: Compared = "all"
) -> tuple[str, str] | None:
    """The first ordered pair of neighbors that does not keep a claim, or None."""
    rows, keeps = mechanism.rows, claim.keeps
    for a, b in ordered(mechanism, neighbors):
        if not keeps(rows[a], rows[b]):
            return mechanism.datasets[a], mechanism.datasets[b]
    return None


# --- reading -------------------------------------------------------------------------------------


def kinds_of(names: Collection[str]) -> list[Any]:
    """The kinds that numbers with these names make."""
    given = set(names)
    return [
        kind
        for kind, needed in CLAIMS.items()
        if set(needed) <= given <= {*needed, *OPTIONAL.get(kind, ())}
    ]


def _read(text: str) -> tuple[Kind, tuple[tuple[str, str], ...]]:
    """The kind of a claim that is written as text, and its numbers by name."""
    found: dict[str, str] = {}
    for part in text.split(","):
        name, sign, value = (piece.strip() for piece in part.partition("="))
        if not sign or not value or name in found:
            raise _refused(text, "name=value pairs, with each name once")
        found[one_of("a name in a claim", name, (*DOMAINS, "kind"))] = value
    kind = found.pop("kind", None)
    kinds: list[Any] = kinds_of(found) if kind is None else [one_of("kind", kind, CLAIMS)]
    if not kinds:
        raise _refused(text, "about one definition")
    return kinds[0], tuple(found.items())


def _refused(value: Any, allowed: str, what: str = "a claim") -> InvalidInput:
    """An error that shows what a claim looks like."""
    example = 'Write, for example, "epsilon=1, delta=1e-6", "rho=0.1" or "epsilon=log(3)".'
    return InvalidInput(what, value, allowed, example)


def _promised(guarantee: Guarantee) -> Claim:
    from dprisk import guarantees as known

    numbers = dict(guarantee.parameters)
    kinds: dict[type, Kind] = {
        known.PureDP: "adp",
        known.ApproxDP: "adp",
        known.ProbabilisticDP: "pdp",
        known.ProbabilisticallyBoundedDP: "pbdp",
    }
    kind = "pdp-both" if numbers.pop("sides", "one") == "both" else kinds.get(type(guarantee))
    if kind is not None:
        return Claim.at(kind, **numbers)
    if isinstance(guarantee, known.ZeroConcentratedDP) and not numbers.get("delta"):
        return Claim.concentrated(**numbers)
    raise NoConversion(
        f"{guarantee!r} cannot be asked of a table exactly. Pure, approximate, probabilistic and "
        "probabilistically bounded DP can, and zCDP. For approximate zCDP write "
        "Claim.concentrated, where the event is a set of outputs."
    )
