"""Check a certificate: ``python certificate.py FILE``. Needs nothing but Python.

Computes a privacy profile in ball arithmetic on whole numbers, with as many digits as a decision
takes. Exit code 0: all claims are accepted; 1: one is refused; 2: this is no certificate.
"""

import json
import re
import sys
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import isqrt
from pathlib import Path

HEAD = {
    "certificate": [1],
    "neighbors": ["add-remove", "replace-one"],
    "theorem": ["dprisk Proposition 33", "P0 Theorem 2.8(1)"],
}
KINDS = {
    "pure": ("epsilon",),
    "approximate": ("epsilon", "delta"),
    "gaussian-dp": ("mu",),
    "gaussian": ("sigma", "sensitivity"),
    "laplace": ("scale", "sensitivity"),
    "geometric": ("scale", "sensitivity"),
    "randomized-response": ("epsilon", "categories"),
}
NUMBER = re.compile(r"-?\d{1,800}(\.\d{1,1100})?([eE][+-]?\d{1,3})?", re.ASCII)
INFINITE, MOST, MOST_TERMS, MOST_BITS, LARGEST = float("inf"), 4_000, 20_000, 2**13, 20_000


class Ball:
    """Some number between (mid - rad) and (mid + rad), both over 2^bits."""

    bits = 256

    def __init__(self, mid, rad=0):
        self.mid, self.rad = mid, rad

    @classmethod
    def of(cls, x):
        return cls((x.numerator << cls.bits) // x.denominator, 1)

    def __add__(self, other):
        return Ball(self.mid + other.mid, self.rad + other.rad)

    def __mul__(self, other):
        if isinstance(other, int):
            return Ball(self.mid * other, self.rad * abs(other))
        off = abs(self.mid) * other.rad + self.rad * (abs(other.mid) + other.rad)
        return Ball(self.mid * other.mid >> self.bits, (off >> self.bits) + 2)

    def over(self, n):
        return Ball(self.mid // n, self.rad // n + 2)

    def inverse(self):  # of a positive number
        low, unit = max(self.mid - self.rad, 0), 1 << 2 * self.bits
        below, above = unit // (low + 2 * self.rad), -(-unit // low)
        return Ball((below + above) // 2, (above - below) // 2 + 1)


@lru_cache(maxsize=100_000)
def exp(x, bits):
    """e^x: the series of x / 2^k, which is below 2^-8, squared k times."""
    if x > LARGEST:
        raise ArithmeticError("an exponent is too large for this program")
    if x < -bits:
        return Ball(0, 1)
    k = max(0, (abs(x.numerator) // x.denominator).bit_length()) + 8
    spare = max(0, int(x * 3 / 2)) + 3 * k + 40
    unit = bits + spare
    small = (x.numerator << unit) // (x.denominator << k)  # one unit too little at most
    term, total, n = 1 << unit, 1 << unit, 0
    while term not in (0, -1):
        n += 1
        term = (term * small >> unit) // n  # off by 1/256 of what the last one was, and three
        total += term
    off = 4 * n + 8  # of each term, and of what is cut off
    for _ in range(k):
        off = 2 * off * (total + off >> unit) + 2 * off + 2
        total = total * total >> unit
    return Ball(total >> spare, (off >> spare) + 2)


@lru_cache(maxsize=64)
def height(v, bits):
    """1 / sqrt(2 pi v), where pi is 16 arctan(1/5) - 4 arctan(1/239) (Machin)."""
    pi = 0
    for factor, n in ((16, 5), (-4, 239)):
        term, k = (1 << bits + 32) // n, 0
        while term:
            pi += (-1) ** k * factor * (term // (2 * k + 1))
            term, k = term // (n * n), k + 1
    of_pi = Ball(isqrt(pi >> 32 << bits), 3)
    return (of_pi * Ball(isqrt((2 * v.numerator << 2 * bits) // v.denominator), 1)).inverse()


def normal(t, v):
    """Density and distribution function, 1/2 + t density (1 + y/3 + y^2/(3 5) + ...), y = t^2/v."""
    bits, y = Ball.bits, t * t / v
    if y > 2 * bits:  # e^(-y/2) < 2^-bits
        return Ball(0, 1) * height(v, bits), Ball(int(t > 0) << bits, 1)
    spare = int(y * 3 / 4) + 40
    unit = bits + spare
    square, term = (y.numerator << unit) // y.denominator, 1 << unit
    total, off, lost, k = term, 0, 0, 0
    while term or 2 * k + 3 < 2 * y:  # from there on, each is at most half of the one before
        k += 1
        off = (off * (square + 1) + term >> unit) // (2 * k + 1) + 3
        term = (term * square >> unit) // (2 * k + 1)
        total, lost = total + term, lost + off
    Ball.bits = unit
    density = exp(-y / 2, unit) * height(v, unit)
    above = density * Ball(total, lost + 2 * off + 2) * Ball.of(t)
    Ball.bits = bits
    density, above = (Ball(each.mid >> spare, (each.rad >> spare) + 2) for each in (density, above))
    return density, above + Ball(1 << bits - 1)


class Part:
    """So many times one pair (P, Q) with privacy loss Z.

    With u = s + 1/2, E_P[e^(s Z); Z finite] is e^(variance (u^2 - 1/4) / 2) for normal noise, else
    (1 - revealed) e^(-top/2) times the sum of weight e^(shift u) over the shifts top, ..., -top;
    for Laplace noise of (1 + 1/(2 u)) e^(top u) / 2 and (1 - 1/(2 u)) e^(-top u) / 2.
    """

    def __init__(self, kind, count, x):
        self.kind, self.count, self.x = kind, count, x
        self.laplace, self.revealed = int(kind == "laplace"), x.get("delta", Fraction(0))
        others = x.get("categories", Fraction(2)) - 1
        steps = x["sensitivity"] if kind == "geometric" else min(others, 2)
        whole = others.denominator == steps.denominator == 1 <= others
        above = all(each > 0 or name == "delta" for name, each in x.items())
        if not (whole and above and 0 <= self.revealed <= 1):
            raise ValueError(f"A number of a part of kind {kind} is not in its range.")
        self.others, self.steps = int(others), int(steps)
        size = x.get("epsilon", x.get("mu", x.get("sensitivity", Fraction(0))))
        size /= x.get("sigma", x.get("scale", Fraction(1)))
        normal = kind.startswith("gaussian")
        self.variance, self.top = count * normal * size**2, (1 - normal) * size

    def chances(self):
        """Weight times e^(shift / 2) of each shift of all together, from the largest down."""
        n, r, bits = self.count, self.steps, Ball.bits
        spare = n * (r + self.others.bit_length())
        Ball.bits += spare
        one, rate = Ball.of(1), exp(-self.top / r, Ball.bits)
        share = (one + exp(-self.top, Ball.bits) * self.others).inverse()
        inner = rate * (self.others - 1)
        if self.kind == "geometric":
            share, inner = (one + rate).inverse(), one + rate * -1
        found, scale = [one], one
        for k in range(1, n * r + 1):  # coefficients of a power, by its derivative
            if 2 * k > n * r:  # which are the same from both ends
                found.append(found[n * r - k])
                continue
            total = Ball(0)
            for i in range(1, min(r, k) + 1):
                total += (found[k - i] if i == r else found[k - i] * inner) * (i * (n + 1) - k)
            found.append(total.over(k))
        for _ in range(n if self.kind != "laplace" else 0):
            scale = scale * share
        for k in range(n * r + 1):
            found[k], scale = found[k] * scale, scale * rate
        Ball.bits = bits
        return [Ball(each.mid >> spare, (each.rad >> spare) + 2) for each in found]


@lru_cache(maxsize=10_000)
def coefficients(a, b, n):
    """The first n of (x + 1)^a (x - 1)^b."""
    found = [-1 if b % 2 else 1]
    for m in range(n - 1):
        before = (m - 1 - a - b) * found[m - 1] if m else 0
        found.append(((a - b) * found[m] + before) // (m + 1))
    return found


class Release:
    """Several parts: the privacy profile of their sum."""

    def __init__(self, parts):
        self.parts = [part for part in parts if part.top]
        self.variance = sum((part.variance for part in parts), Fraction(0))
        self.top = sum((part.count * part.top for part in parts), Fraction(0))
        self.laplace = sum(part.count * part.laplace for part in parts)
        kept, size = Fraction(1), (self.laplace + 1) * (10 if self.variance else 1)
        for part in self.parts:
            size *= part.count * part.steps + 1
            work = max(part.steps + part.others.bit_length(), part.steps**2 // 10)
            if size > MOST_TERMS or part.count * work > MOST:
                raise ValueError("The sum has too many terms for this program.")
            kept *= (1 - part.revealed) ** part.count
        self.revealed, self.bits, self.found = 1 - kept, 0, {}

    def expand(self):
        """The chance of each shift with so many factors 1 + 1/(2 u)."""
        self.bits, self.terms = Ball.bits, {(Fraction(0), 0): Ball.of(1 - self.revealed)}
        for part in self.parts:
            longer, chances, last = {}, part.chances(), part.count * part.steps
            for (shift, plus), i in product(self.terms, range(len(chances))):
                moved = shift + (part.count - Fraction(2 * i, part.steps)) * part.top
                key = moved, plus + (last - i) * part.laplace
                longer[key] = longer.get(key, Ball(0)) + self.terms[shift, plus] * chances[i]
            self.terms = longer

    def finite(self, epsilon):
        """E[(1 - e^(epsilon - Z))+; Z finite]: residues at u = 1/2, -1/2 and 0 (order n)."""
        if self.bits != Ball.bits:
            self.expand()
        n, v, total = self.laplace, self.variance, Ball(0)
        for (shift, plus), chance in self.terms.items():
            t, less = shift - epsilon, Ball(0)
            faint = n == 0 and chance.mid + chance.rad < 2**16  # times 1 at most
            if faint or (v == 0 and t <= 0):
                total += Ball(0, (chance.mid + chance.rad) * faint)
                continue
            if plus == n:
                less = normal(t + v / 2, v)[1] if v else Ball.of(1)
            if plus == 0:
                far = exp(-t, Ball.bits)
                less += (far * normal(t - v / 2, v)[1] if v else far) * -1
            if n:
                less += exp(-t / 2 - v / 8, Ball.bits) * self.at_zero(plus, t)
            total += chance * less
        return total

    def at_zero(self, plus, t):
        """Sum of coefficients times E[(t - X)+^(k-1)] / (k-1)! / 2^(n+k-2), X ~ N(0, v)."""
        n, v, half, found = self.laplace, Ball.of(self.variance / 4), Ball.of(t / 2), Ball(0)
        before, last = normal(t, self.variance) if self.variance else (Ball(0), Ball.of(1))
        last, these = last.over(2), coefficients(plus - 1, n - plus - 1, n)
        for k in range(1, n + 1):
            found += last * these[n - k]
            before, last = last, (half * last + v * before).over(k)
        return found * Ball.of(Fraction(4, 2**n))

    def keeps(self, epsilon, delta, above):
        """Whether delta(epsilon) is at most a number; or at least, if that is asked."""
        rest = delta - self.revealed
        if self.revealed == 1 or (self.variance == 0 and epsilon >= self.top):
            return rest <= 0 if above else rest >= 0
        if rest <= 0 or delta >= 1:
            return above == (rest <= 0)
        Ball.bits = 96 + 4 * self.laplace + max(0, (1 / rest).__floor__().bit_length())
        while Ball.bits <= MOST_BITS:
            at = epsilon, Ball.bits
            found = self.found[at] = self.found.get(at) or self.finite(epsilon)
            wanted = (rest.numerator << Ball.bits) // rest.denominator
            if abs(found.mid - wanted) > found.rad + 1:
                return (found.mid > wanted) == above
            Ball.bits *= 2
        raise ArithmeticError("it is too close to the truth to tell")


def check(release, asked, at, low, high):
    """Accept a claim, or raise an ArithmeticError."""
    if asked == "epsilon":
        true = release.keeps(at, high, False) and release.keeps(at, low, True)
    elif low == INFINITE:
        true = release.revealed > at
    else:  # delta falls strictly up to the largest loss, unless all is revealed
        falls = release.revealed < 1 and (release.variance > 0 or low <= release.top)
        true = low == 0 or (falls and release.keeps(low, at, True))
        true = true and (high == INFINITE or release.keeps(high, at, False))
    if not true:
        raise ArithmeticError("it is not true")


def number(text, name):
    if name in ("lower", "upper") and text == "inf":
        return INFINITE
    if not isinstance(text, str) or not NUMBER.fullmatch(text):
        raise ValueError(f"{name} must be a decimal as text; {str(text)[:40]!r} is there.")
    return Fraction(text)


def fields(found, wanted, where):
    """Every field, and no other."""
    if not isinstance(found, dict):
        raise ValueError(f"{where} must have fields.")
    for name in sorted(found.keys() ^ wanted):
        raise ValueError(f"{where}: {name} is {'unknown' if name in found else 'missing'}.")
    return found


def once(pairs):
    if len(dict(pairs)) < len(pairs):
        raise ValueError("A field is there twice.")
    return dict(pairs)


def read(text):
    """What a certificate is about, and its claims: all of it, before anything is said."""
    tree = fields(json.loads(text, object_pairs_hook=once), {*HEAD, "parts", "claims"}, "The file")
    for name, allowed in HEAD.items():
        if type(tree[name]) not in (int, str) or tree[name] not in allowed:
            raise ValueError(f"{name} must be one of {allowed}.")
    parts, claims = [], []
    for part in tree["parts"]:
        kind = part.get("kind") if isinstance(part, dict) else None
        if kind not in KINDS:
            raise ValueError(f"{str(kind)[:40]!r} is not a kind of part.")
        fields(part, {*KINDS[kind], "kind", "count"}, f"A part of kind {kind}")
        if type(part["count"]) is not int or not 1 <= part["count"] <= 10**9:
            raise ValueError("count must be a whole number from 1 to 10^9.")
        x = {name: number(part[name], name) for name in KINDS[kind]}
        parts.append(Part(kind, part["count"], x))
    for claim in tree["claims"]:
        fields(claim, {"asked", "at", "bound", "lower", "upper"}, "A claim")
        at, low, high = (number(claim[name], name) for name in ("at", "lower", "upper"))
        asks = {claim["asked"], claim["bound"]} == {"delta", "epsilon"}
        if not (asks and 0 <= low <= high and at >= 0):
            raise ValueError("A claim must bound epsilon at a delta, or delta at an epsilon.")
        claims.append((claim["asked"], at, low, high))
    if not (parts and claims):
        raise ValueError("There is no part, or no claim.")
    if tree["theorem"] == HEAD["theorem"][1]:  # parameters add up
        if any(part.kind not in ("pure", "approximate") for part in parts):
            raise ValueError("Theorem 2.8(1) is about pure and approximate parts.")
        epsilon = sum((part.x["epsilon"] * part.count for part in parts), Fraction(0))
        delta = sum((part.revealed * part.count for part in parts), Fraction(0))
        parts = [Part("approximate", 1, {"epsilon": epsilon, "delta": min(delta, Fraction(1))})]
    return Release(parts), claims


def main(args):
    try:
        release, claims = read(Path(*args).read_text(encoding="utf-8"))
        for claim in claims:
            check(release, *claim)
    except ArithmeticError as why:
        print(f"refused: {why}.")
        return 1
    except (ValueError, TypeError, OSError, RecursionError) as error:
        print(f"This is not a certificate that can be read to its end: {error}", file=sys.stderr)
        return 2
    print(f"accepted: {len(claims)} of {len(claims)} claims.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
