"""A definition with its parameters as a property that a mechanism has or not, decided exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal, final

from dprisk._checks import NONNEGATIVE, one_of, scalar
from dprisk._values import brief as in_brief
from dprisk._values import result
from dprisk.audit import pairs
from dprisk.audit.claims import Claim
from dprisk.audit.exp_epsilon import Growth, brief, chance
from dprisk.audit.finite import FiniteMechanism
from dprisk.audit.pairs import Predicate, Row
from dprisk.audit.relation import NeighborRelation, related
from dprisk.audit.renyi import directed
from dprisk.errors import InvalidInput, NoConversion
from dprisk.guarantees.base import SIDES, Sides

if TYPE_CHECKING:
    from dprisk.guarantees.base import Guarantee

__all__ = ["Compared", "Property", "as_property", "breaking_pair"]

Compared = str | NeighborRelation | Iterable[Sequence[str]]
MOST: Final = 5_000_000  # entries of all ordered pairs together
DECIDED: Final = (
    "Pure, approximate, probabilistic and probabilistically bounded DP and zCDP are, and any "
    "predicate on the rows of two neighbors. Of approximate zCDP say with Property.concentrated "
    "that the event is a set of outputs."
)
Kind = Literal["approximate", "probabilistic", "bounded", "concentrated", "pointwise", "given"]


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class Property:
    """A definition of privacy with its parameters, to be asked of finite mechanisms.

    Parameters
    ----------
    name : str
        How sentences call it, such as "(1, 0.01)-ADP".
    predicate : callable
        From the exact rows of two neighbors, tuples of Fraction, to whether they keep it. Asked for
        both directions of each pair.
    kind : str
        Which definition; "given" for one that is only a predicate.
    growth : Growth or None
        e^epsilon, where there is one.
    delta : Fraction
        The probability or slack that is granted. [0, 1]
    sides : {"one", "both"}
        Of probabilistic DP: whose tails.
    extra : tuple of float
        rho and xi of zCDP. [0, inf), nats

    Examples
    --------
    >>> from dprisk.audit import FiniteMechanism, Property
    >>> coin = FiniteMechanism([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> Property.approximate("1.1").holds(coin), Property.approximate(1).holds(coin)
    (True, False)
    >>> print(Property.probabilistic(1, "1/4"))
    one-sided (1, 0.25)-PDP
    """

    name: str
    predicate: Predicate
    kind: Kind = "given"
    growth: Growth | None = None
    delta: Fraction = Fraction(0)
    sides: Sides = "one"
    extra: tuple[float, ...] = field(default=())

    @classmethod
    def approximate(cls, epsilon: Any, delta: Any = 0) -> Property:
        """Approximate DP, and pure DP at delta 0.

        Parameters
        ----------
        epsilon : Fraction, int, float, str or Growth
            Privacy loss limit. [0, 700], nats
        delta : Fraction, int, float or str
            Additive slack. [0, 1]

        Returns
        -------
        Property
            P1, Definition 5.1.
        """
        growth, slack = Growth.of(epsilon), chance("delta", delta)
        test = partial(pairs.approximate, growth=growth, delta=slack)
        return cls(f"{_of(growth, slack)}-ADP", test, "approximate", growth, slack)

    @classmethod
    def probabilistic(cls, epsilon: Any, delta: Any, *, sides: Sides = "one") -> Property:
        """Probabilistic DP of the raw output.

        Parameters
        ----------
        epsilon : Fraction, int, float, str or Growth
            Privacy loss limit. [0, 700], nats
        delta : Fraction, int, float or str
            Probability with which the loss may exceed it. [0, 1]
        sides : {"one", "both"}
            P[Z > epsilon] (P2, P4), or P[abs(Z) > epsilon] (P0).

        Returns
        -------
        Property
            P2, Definition 2.2, or P0, Definition 2.4.
        """
        one_of("sides", sides, SIDES)
        growth, slack = Growth.of(epsilon), chance("delta", delta)
        test = partial(pairs.probabilistic, growth=growth, delta=slack, both=sides == "both")
        name = f"{'one' if sides == 'one' else 'two'}-sided {_of(growth, slack)}-PDP"
        return cls(name, test, "probabilistic", growth, slack, sides)

    @classmethod
    def bounded(cls, epsilon: Any, delta: Any) -> Property:
        """Probabilistically bounded DP: the loss after any post-processing.

        Parameters
        ----------
        epsilon : Fraction, int, float, str or Growth
            Privacy loss limit. [0, 700], nats
        delta : Fraction, int, float or str
            Probability with which the loss may exceed it. [0, 1]

        Returns
        -------
        Property
            P1, Definition 5.2.
        """
        growth, slack = Growth.of(epsilon), chance("delta", delta)
        test = partial(pairs.bounded, growth=growth, delta=slack)
        return cls(f"{_of(growth, slack)}-pbdp", test, "bounded", growth, slack)

    @classmethod
    def concentrated(cls, rho: float, *, xi: float = 0.0, delta: Any = 0) -> Property:
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
        Property
            P4, Definition 6, with the exponent that is missing there.

        Notes
        -----
        Decided in floating point: it is said to fail only if a divergence is certainly beyond its
        bound, by more than 1e-9. At most 12 outputs are possible on both neighbors.

        In its source (Bun and Steinke 2016, Definition 8.1) the event may depend on coins of its
        own. In that form it survives post-processing; tied to outputs it does not.
        """
        slope, offset = scalar("rho", rho, NONNEGATIVE), scalar("xi", xi, NONNEGATIVE)
        slack = chance("delta", delta)
        test = partial(pairs.concentrated, rho=slope, xi=offset, delta=slack)
        about = f"{brief(slack)}-approximate " if slack else ""
        name = f"{about}({offset:g}, {slope:g})-zCDP"
        return cls(name, test, "concentrated", None, slack, "one", (slope, offset))

    @classmethod
    def pointwise(cls, epsilon: Any, delta: Any) -> Property:
        """The misleading (epsilon, delta) of single outputs only: no definition of privacy.

        Parameters
        ----------
        epsilon : Fraction, int, float, str or Growth
            Privacy loss limit. [0, 700], nats
        delta : Fraction, int, float or str
            Additive slack. [0, 1]

        Returns
        -------
        Property
            P4, Definition 3, "how not to define differential privacy".
        """
        growth, slack = Growth.of(epsilon), chance("delta", delta)
        test = partial(pairs.pointwise, growth=growth, delta=slack)
        return cls(f"pointwise {_of(growth, slack)}", test, "pointwise", growth, slack)

    @classmethod
    def excepting(cls, delta: Any, predicate: Predicate, *, name: str = "the property") -> Property:
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
        Property
            P4, Definition 5, "potentially trivial". All subsets are tried: at most 12 outputs.
        """
        slack = chance("delta", delta)
        full = f"{brief(slack)}-approximate {name}"
        return cls(full, pairs.excepting(slack, predicate), "given", None, slack)

    @classmethod
    def given(cls, predicate: Predicate, *, name: str = "the property") -> Property:
        """Any predicate of the exact rows of two neighbors.

        Parameters
        ----------
        predicate : callable
            From two tuples of Fraction to whether they keep it.
        name : str
            How sentences call it.

        Returns
        -------
        Property
            Asked for both directions of each pair.
        """
        return cls(name, predicate)

    def holds(self, mechanism: FiniteMechanism, neighbors: Compared = "all") -> bool:
        """Whether a mechanism has the property.

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
        """
        return breaking_pair(self, mechanism, neighbors) is None

    def twice(self) -> Property | None:
        """The same definition with its parameters doubled: what two such mechanisms together keep.

        Returns
        -------
        Property or None
            None for a predicate, whose parameters are not known.
        """
        slack = min(2 * self.delta, Fraction(1))
        if self.kind == "concentrated":
            rho, xi = self.extra
            return Property.concentrated(2 * rho, xi=2 * xi, delta=slack)
        if self.growth is None:
            return None
        known = self.growth
        double = Growth(known.ratio**2) if known.ratio is not None else _doubled(known)
        if self.kind == "probabilistic":
            return Property.probabilistic(double, slack, sides=self.sides)
        makers = {"approximate": Property.approximate, "bounded": Property.bounded}
        return makers[self.kind](double, slack) if self.kind in makers else None

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<Property: {in_brief(self.name)}>"


def as_property(definition: Property | Guarantee | Claim | str | Predicate) -> Property:
    """A definition as a property: a guarantee with its numbers, or a predicate on pairs of rows.

    Parameters
    ----------
    definition : Property, Guarantee, Claim, str or callable
        Pure, approximate, probabilistic and probabilistically bounded DP and zCDP are known, as
        guarantees (their floats are read as the binary fractions they are) and as claims.

    Returns
    -------
    Property
        The same promise, of the raw output.

    Raises
    ------
    NoConversion
        If the definition has no decision here: ask its profile instead.

    Examples
    --------
    >>> from dprisk import ApproxDP
    >>> from dprisk.audit import as_property
    >>> print(as_property(ApproxDP(1.0, 0.25, neighbors="replace-one")))
    (1, 0.25)-ADP
    >>> print(as_property("epsilon=0.1, delta=0.01, kind=pdp"))
    one-sided (0.1, 0.01)-PDP
    """
    from dprisk import guarantees as known

    if isinstance(definition, str):
        definition = Claim.of(definition)
    if isinstance(definition, Claim):
        return _claimed(definition)
    if isinstance(definition, Property):
        return definition
    if isinstance(definition, known.Guarantee):
        return _promised(definition)
    if callable(definition) and not isinstance(definition, type):
        return Property.given(definition)
    raise NoConversion(f"{definition!r} is neither a definition nor a predicate. {DECIDED}")


def _promised(guarantee: Guarantee) -> Property:
    from dprisk import guarantees as known

    numbers = dict(guarantee.parameters)
    makers: dict[type, Callable[..., Property]] = {
        known.PureDP: Property.approximate,
        known.ApproxDP: Property.approximate,
        known.ProbabilisticDP: Property.probabilistic,
        known.ProbabilisticallyBoundedDP: Property.bounded,
        known.ZeroConcentratedDP: Property.concentrated,
    }
    make = makers.get(type(guarantee))
    if make is None or (make == Property.concentrated and numbers.get("delta")):
        raise NoConversion(f"{guarantee!r} is not decided here. {DECIDED}")
    return make(**numbers)


def _claimed(claim: Claim) -> Property:
    numbers = dict(claim.given)
    epsilon, delta = Growth.of(numbers.get("epsilon", "0")), numbers.get("delta", "0")
    match claim.kind:
        case "pure" | "adp":
            return Property.approximate(epsilon, delta)
        case "pdp" | "pdp-both":
            sides: Sides = "both" if claim.kind == "pdp-both" else "one"
            return Property.probabilistic(epsilon, delta, sides=sides)
        case "pbdp":
            return Property.bounded(epsilon, delta)
        case "zcdp":
            return Property.concentrated(claim.number("rho"))
    raise NoConversion(f"A claim of kind {claim.kind!r} is checked by an audit, not by a property.")


def breaking_pair(
    definition: Property, mechanism: FiniteMechanism, neighbors: Compared = "all"
) -> tuple[str, str] | None:
    """The first ordered pair of neighbors that does not keep a property, or None."""
    rows = [tuple(row) for row in mechanism.exact()]
    for a, b in ordered(mechanism, neighbors):
        if not definition.predicate(rows[a], rows[b]):
            return mechanism.datasets[a], mechanism.datasets[b]
    return None


def ordered(mechanism: FiniteMechanism, neighbors: Compared) -> list[tuple[int, int]]:
    """All ordered pairs of neighbors, by number."""
    first, second = directed(related(mechanism, neighbors))
    entries = len(first) * len(mechanism.outputs)
    if entries > MOST:
        fix = "Audit it instead, or compare fewer pairs."
        raise InvalidInput("the table", f"{entries} entries of pairs", f"at most {MOST}", fix)
    return list(zip(first.tolist(), second.tolist(), strict=True))


def exact_rows(mechanism: FiniteMechanism) -> list[Row]:
    """Its rows, as tuples of fractions."""
    return [tuple(row) for row in mechanism.exact()]


def _doubled(growth: Growth) -> Growth:
    epsilon = growth.epsilon
    return Growth.of(2 * epsilon) if epsilon is not None else growth


def _of(growth: Growth, delta: Fraction) -> str:
    return f"({growth}, {brief(delta)})"
