"""Claims: a definition of privacy with its numbers, asked of finite mechanisms and decided
exactly."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, Final, final

from dprisk._checks import NONNEGATIVE, one_of, scalar
from dprisk._values import result
from dprisk.audit import pairs
from dprisk.audit.claim_forms import CLAIMS, DOMAINS, Kind, kinds_of, read, refused
from dprisk.audit.exp_epsilon import Growth, brief, chance
from dprisk.audit.finite import FiniteMechanism, as_fraction
from dprisk.audit.pairs import Predicate
from dprisk.audit.relation import Compared, ordered
from dprisk.errors import NoConversion, OutOfRange
from dprisk.guarantees.base import Guarantee
from dprisk.text import fill


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
        If the kind is unknown, or its numbers are others.
    OutOfRange
        If a number is out of its range.

    Examples
    --------
    >>> from dprisk.audit import Claim, FiniteMechanism
    >>> coin = FiniteMechanism([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> Claim.of("epsilon=log(3)").holds(coin), Claim.at("adp", 1).holds(coin)
    (True, False)
    >>> print(Claim.of("epsilon=1, delta=1/4, kind=pdp"), Claim.at("pdp", 1, "1/4"), sep="; ")
    epsilon=1, delta=1/4, kind=pdp; one-sided (1, 0.25)-PDP
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
            needs = fill("and").join(CLAIMS[self.kind])
            given = ", ".join(names) or None
            raise refused("audit.claim.needs", given, names=needs, kind=self.kind)
        for name in names:
            scalar(f"{name} of a claim", self.number(name), DOMAINS[name])

    @classmethod
    def of(cls, definition: Any) -> Claim:
        """Read a claim, or make one of a promise or a predicate.

        Parameters
        ----------
        definition : str, Claim, Guarantee or callable
            Text: ``name=value`` pairs, separated by commas, with the kind if the names do not tell
            it. A guarantee of pure, approximate, probabilistic or probabilistically bounded DP or
            zCDP, whose floats are read as the binary fractions they are. Or a predicate on the
            exact rows of two neighbors.

        Returns
        -------
        Claim
            Checked. Of a guarantee: the same promise, of the raw output.

        Raises
        ------
        InvalidInput
            If text cannot be read; the message says what a claim looks like.
        OutOfRange
            If a number is out of its range.
        NoConversion
            If the definition cannot be asked of a table: ask its profile instead.

        Examples
        --------
        >>> from dprisk import ApproxDP
        >>> from dprisk.audit import Claim
        >>> print(Claim.of(ApproxDP(1.0, 0.25, neighbors="replace-one")))
        (1, 0.25)-ADP
        """
        if isinstance(definition, Claim):
            return definition
        if isinstance(definition, str):
            return cls(*read(definition))
        if isinstance(definition, Guarantee):
            return _promised(definition)
        if callable(definition) and not isinstance(definition, type):
            return cls.predicate(definition)
        raise NoConversion(fill("audit.claim.neither", given=repr(definition)))

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
        """Approximate zCDP whose event is a set of outputs, as P4 reads it.

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
            P4, Definition 6, with the exponent that is missing there.

        Notes
        -----
        Decided in floating point: it is said to fail only if a divergence is certainly beyond its
        bound, by more than 1e-9. At most 12 outputs are possible on both neighbors.

        In its source (Bun and Steinke 2016, Definition 8.1) the event may depend on coins of its
        own. In that form it survives post-processing; tied to outputs it does not.
        """
        slope, offset = scalar("rho", rho, NONNEGATIVE), scalar("xi", xi, NONNEGATIVE)
        return cls("zcdp", (("rho", slope), ("xi", offset), ("delta", chance("delta", delta))))

    @classmethod
    def excepting(cls, delta: Any, predicate: Predicate, *, name: str = "the property") -> Claim:
        """A delta-approximate property: all sets of outputs keep it, but for a bad one.

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
            P4, Definition 5, "potentially trivial". All subsets are tried: at most 12 outputs.
        """
        slack = chance("delta", delta)
        test = pairs.excepting(slack, predicate)
        return cls("given", (("delta", slack),), test, f"{brief(slack)}-approximate {name}")

    @classmethod
    def predicate(cls, test: Predicate, *, name: str = "the property") -> Claim:
        """Any predicate of the exact rows of two neighbors.

        Parameters
        ----------
        test : callable
            From two tuples of Fraction to whether they keep it.
        name : str
            How sentences call it.

        Returns
        -------
        Claim
            Asked for both directions of each pair.
        """
        return cls("given", (), test, name)

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
        exact, value = self.rational(name), dict(self.given)[name]
        if exact is not None:
            return float(exact)
        if name == "epsilon":
            with suppress(OutOfRange):
                return Growth.of(value).nats()
        raise refused("audit.claim.number", value, "audit.claim.of", name=name)

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
        value = dict(self.given)[name]
        return value.epsilon if isinstance(value, Growth) else as_fraction(value)

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
            xi, rho = (f"{self._or_zero(name):g}" for name in ("xi", "rho"))
            return fill("audit.claim.zcdp", about=about, xi=xi, rho=rho)
        if self.growth is None or self.kind == "disclosure":
            return self._text
        return fill(f"audit.claim.{self.kind}", numbers=f"({self.growth}, {brief(self.delta)})")

    @cached_property
    def keeps(self) -> Predicate:
        """From the exact rows of two neighbors to whether they keep it."""
        growth: Any = self.growth
        delta = self.delta
        if self.kind == "given" and self.test is not None:
            return self.test
        if self.kind == "tv":
            growth, delta = Growth(1), chance("tv", dict(self.given)["tv"])
        if self.kind == "zcdp":
            rho, xi = self.number("rho"), self._or_zero("xi")
            return partial(pairs.concentrated, rho=rho, xi=xi, delta=delta)
        if self.kind not in DECIDED:
            raise NoConversion(fill("audit.claim.by-audit", kind=self.kind))
        return partial(DECIDED[self.kind], growth=growth, delta=delta)

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

    def twice(self) -> Claim | None:
        """The same definition with its numbers doubled: what two such mechanisms together keep.

        Returns
        -------
        Claim or None
            None for a predicate and for definitions whose numbers do not add up.
        """
        slack = min(2 * self.delta, Fraction(1))
        if self.kind == "zcdp":
            rho, xi = 2 * self.number("rho"), 2 * self._or_zero("xi")
            return Claim.concentrated(rho, xi=xi, delta=slack)
        if self.growth is None or self.kind in ("pointwise", "disclosure"):
            return None
        kind: Kind = "adp" if self.kind == "pure" else self.kind
        return Claim.at(kind, self.growth.squared(), slack)

    @property
    def _text(self) -> str:
        return ", ".join(f"{name}={value}" for name, value in self.given)

    def _or_zero(self, name: str) -> float:
        return self.number(name) if name in dict(self.given) else 0.0

    def __str__(self) -> str:
        if not self.given or not all(isinstance(value, str) for _, value in self.given):
            return self.name
        plain = self.kind in kinds_of(dict(self.given))[:1]
        return self._text if plain else f"{self._text}, kind={self.kind}"


DECIDED: Final[dict[str, Callable[..., bool]]] = {
    "pure": pairs.approximate,
    "adp": pairs.approximate,
    "pdp": pairs.probabilistic,
    "pdp-both": partial(pairs.probabilistic, both=True),
    "tv": pairs.approximate,
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
    raise NoConversion(fill("audit.claim.promise", promise=repr(guarantee)))
