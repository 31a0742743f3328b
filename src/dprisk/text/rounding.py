"""Numbers for readers, rounded to the side on which they stay true."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Final, Literal, NamedTuple

from dprisk.text import count, decimal, fill

Scale = Literal[1, 100, 1_000, 1_000_000]
HUNDREDTH: Final = 0.01
"""Below one in a hundred, a chance or a change is counted in thousands or in millions."""


Edge = Literal["number", "top", "bottom"]


class Chance(NamedTuple):
    """A probability as a reader gets it: a count or a decimal, or the edge that it is beyond."""

    kind: Edge
    cases: int | Decimal
    of: Scale

    @property
    def shown(self) -> str:
        """The count, or the edge, in words."""
        if isinstance(self.cases, Decimal):
            return decimal(
                f"{self.cases:{'f' if self.cases >= PLAINLY or not self.cases else 'e'}}"
            )
        return fill("of", count=count(self.cases), of=count(self.of))

    @property
    def share(self) -> float:
        """The same as a probability."""
        return float(self.cases) / self.of


PLAINLY = Decimal("1e-5")
EDGES: Final = {"top": Decimal("0.9999"), "bottom": Decimal("1e-300")}  # of decimals
LONGEST = 24  # characters of a number that is written out
SMALLEST = Decimal("1e-4")  # in 100: what is smaller is easier to read as a power of ten
FORGIVEN = Decimal("1e-13")  # relative
FORGIVING = 12  # digits: more are asked for by those who want to see the rest


def at_most(value: float, digits: int = 3, *, apart: bool = False) -> str:
    """An upper bound in decimal text, rounded up."""
    return _spelled(rounded(value, digits, upper=True), apart)


def at_least(value: float, digits: int = 3, *, apart: bool = False) -> str:
    """A lower bound in decimal text, rounded down."""
    return _spelled(rounded(value, digits, upper=False), apart)


def scale(start: float, *ends: float) -> Scale:
    """The number of chances in which a belief is counted, so that a small risk shows."""
    rare = min(start, 1.0 - start)
    change = max((abs(end - start) for end in ends), default=1.0)
    if rare == 0.0 or change == 0.0 or (rare > HUNDREDTH and change >= HUNDREDTH):
        return 100
    return 1_000 if rare >= (HUNDREDTH if change < HUNDREDTH else HUNDREDTH / 10.0) else 1_000_000


def chance(probability: float, *, upper: bool, of: Scale = 100) -> Chance:
    """A probability as whole chances, rounded to the safe side and never to none or all."""
    if of == 1:
        if float(EDGES["top"]) < probability < 1.0:
            return cut_off("top", of)
        return Chance("number", Decimal(rounded(probability, 3, upper=upper)), of)
    share = of * Decimal(repr(float(probability)))
    nearest = share.to_integral_value()
    if nearest < of and _same(nearest, share):
        share = nearest
    if share not in (0, of):
        if share < 1:
            return cut_off("bottom", of)
        if share > of - 1:
            return cut_off("top", of)
    rare = min(share, of - share)  # the figures that count are those of what is rare
    unit = Decimal(1).scaleb(max(rare.adjusted() - 1, 0)) if of == 1_000_000 else Decimal(1)
    rounding = ROUND_CEILING if upper == (rare == share) else ROUND_FLOOR
    few = (rare / unit).to_integral_value(rounding) * unit
    return Chance("number", int(few if rare == share else of - few), of)


def ended(probability: float, *, upper: bool, of: Scale = 100, open_minded: bool = True) -> Chance:
    """An end of a belief: certainty, which only those have who had it before, is an edge."""
    if open_minded and probability == upper:
        return cut_off("top" if upper else "bottom", of)
    return chance(probability, upper=upper, of=of)


def cut_off(kind: Literal["top", "bottom"], of: Scale) -> Chance:
    """Beyond the last count."""
    if of == 1:
        return Chance(kind, EDGES[kind], of)
    return Chance(kind, of - 1 if kind == "top" else 1, of)


def chances(probability: float, *, upper: bool, of: Scale = 100) -> str:
    """A probability as whole chances in 100, rounded to the safe side and never to 0 or 100."""
    found = chance(probability, upper=upper, of=of)
    words = fill(f"chances.{found.kind}", chances=found.shown)
    return fill("possibly", words=words) if found.kind == ("bottom", "top")[upper] else words


def bounded(probability: float, *, upper: bool, of: Scale = 100) -> str:
    """A bound on a probability with its direction; one that excludes nothing names the edge."""
    found = ended(probability, upper=upper, of=of)
    key = f"most.{found.kind}" if upper else f"least.{found.kind}"
    return fill(key, chances=found.shown, edge=found.shown)


def out_of(share: float, of: Scale = 100) -> str:
    """A chance that was put in, to its last digit."""
    if of == 1:
        return counted(share, 1)
    return fill("of", count=counted(share, of), of=count(of))


def hundredths(share: float | str) -> str:
    """A share in hundredths, to the last digit given: rounded, one near 1 would look certain."""
    return counted(share, 100)


def counted(share: float | str, of: int) -> str:
    """A share of so many, to the last digit given."""
    exact = (of * Decimal(str(share))).normalize()
    plain = f"{exact:,f}"
    is_short = len(plain) <= LONGEST and not 0 < abs(exact) < SMALLEST
    return decimal(plain if is_short else f"{exact:e}")


def rounded(value: float, digits: int, *, upper: bool) -> str:
    """A bound as Python writes it, rounded to the safe side."""
    if not math.isfinite(value) or value == 0.0:
        return f"{value + 0.0:g}"
    exact = Decimal(repr(float(value)))
    step = Decimal(1).scaleb(exact.adjusted() - digits + 1)
    safe = ROUND_CEILING if upper else ROUND_FLOOR
    short = exact.quantize(step).normalize()
    if abs(short) == 1 or digits > FORGIVING or not _same(short, exact):
        short = exact.quantize(step, rounding=safe).normalize()
    if short == 1 and exact < 1 and digits < 17:  # nearly certain is not certain
        return rounded(value, digits + 1, upper=upper)
    plain = 1e-5 <= abs(value) < 1e9
    return f"{short:f}" if plain else f"{short:e}"


def _spelled(number: str, apart: bool) -> str:
    """A number as the language writes it."""
    whole, point, rest = number.partition(".")
    if apart and whole.removeprefix("-").isdigit():
        number = f"{int(whole):,}{point}{rest}"
    return decimal(number)


def _same(short: Decimal, exact: Decimal) -> bool:
    return abs(short - exact) <= FORGIVEN * abs(exact)


def short(value: float) -> str:
    """A number as it was given, without zeros in its exponent."""
    rounded = f"{value:g}"
    text = rounded if float(rounded) == value else repr(value)
    mantissa, e, exponent = text.partition("e")
    return decimal(f"{mantissa}e{int(exponent)}" if e else text)
