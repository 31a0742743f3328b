"""Check a certificate about zCDP: ``python certificate_zcdp.py FILE``. Needs nothing but Python.

Values of rho add up, and so do those of delta. Each claim brings a line above the power curve of
their sum (dprisk Proposition 21), which is computed here with 800 digits. Exit code 0: all claims
are accepted; 1: one is refused; 2: this is no certificate.
"""

import json
import re
import sys
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path

HEAD = {
    "certificate": [1],
    "neighbors": ["add-remove", "replace-one"],
    "theorem": ["dprisk Proposition 21"],
}
PART = {"kind", "count", "rho", "delta"}
LINE = ("above_1", "log_r", "log_t")
CLAIM = {"asked", "at", "bound", "lower", "upper", "line"}
NUMBER = re.compile(r"-?\d{1,800}(\.\d{1,1100})?([eE][+-]?\d{1,3})?", re.ASCII)
DIGITS, SPARE = 800, Decimal("1e-700")  # what is left out is a far smaller share


def holds(rho, lost, epsilon, delta, line):
    """Whether delta(epsilon) is at most a number: by y <= c + s x, for an order and r > 1 > t."""
    if not lost < delta < 1:
        return delta >= 1
    above, log_r, log_t = line
    order, share = above + 1, (delta - lost) / (1 - lost)
    with localcontext(prec=DIGITS, Emax=10**6, Emin=-(10**6)):

        def real(x):
            return Decimal(x.numerator) / Decimal(x.denominator)

        powers = (above * log_r, order * log_r, above * log_t, order * log_t)
        r, r_more, t, t_more = (real(x).exp() for x in powers)
        k, a, grown = real(above), real(order), real(epsilon).exp()
        apart, most = a * (r - t), real(above * order * rho).exp()
        c, s = most - a * t + k * t_more, k * (r_more - t_more)  # times apart
        flat = real(share) * apart - c
        steep = flat + grown * (apart - c) - real(1 - share) * s
        size = most + (a + k) * (r + t + t_more)  # of the terms of each: what may be lost of it
        return flat > SPARE * size and steep > SPARE * ((1 + grown) * size + k * (r_more + t_more))


def number(text, name):
    if not isinstance(text, str) or not NUMBER.fullmatch(text):
        raise ValueError(f"{name} must be a decimal as text; {str(text)[:40]!r} is there.")
    return Fraction(text)


def fields(found, wanted, where):
    """Every field, and no other."""
    if not isinstance(found, dict):
        raise ValueError(f"{where} must have fields.")
    for name in sorted(found.keys() ^ set(wanted)):
        raise ValueError(f"{where}: {name} is {'unknown' if name in found else 'missing'}.")
    return found


def once(pairs):
    if len(dict(pairs)) < len(pairs):
        raise ValueError("A field is there twice.")
    return dict(pairs)


def read(text):
    """Sums of rho and of delta, and the claims: all of it, before anything is said."""
    tree = fields(json.loads(text, object_pairs_hook=once), {*HEAD, "parts", "claims"}, "The file")
    for name, allowed in HEAD.items():
        if type(tree[name]) not in (int, str) or tree[name] not in allowed:
            raise ValueError(f"{name} must be one of {allowed}.")
    rho, lost, claims = Fraction(0), Fraction(0), []
    for part in tree["parts"]:
        count = fields(part, PART, "A part")["count"]
        if part["kind"] != "concentrated" or type(count) is not int or not 1 <= count <= 10**9:
            raise ValueError("A part must be of kind concentrated, and count from 1 to 10^9.")
        each, delta = (number(part[name], name) for name in ("rho", "delta"))
        if not (each > 0 and 0 <= delta <= 1):
            raise ValueError("rho must be above 0, and delta from 0 to 1.")
        rho, lost = rho + count * each, lost + count * delta
    for claim in tree["claims"]:
        ends = {**fields(claim, CLAIM, "A claim"), **fields(claim["line"], LINE, "A line")}
        at, low, *line = (number(ends[name], name) for name in ("at", "lower", *LINE))
        high = None if claim["upper"] == "inf" else number(claim["upper"], "upper")
        asks = {claim["asked"], claim["bound"]} == {"delta", "epsilon"}
        if not (asks and at >= 0 == low and (high is None or high >= 0)):
            raise ValueError(
                "A claim must bound epsilon at a delta, or the reverse, from 0 upwards."
            )
        if not line[0] > 0 < line[1] or not line[2] < 0:
            raise ValueError("A line needs an order above 1, and r > 1 > t.")
        point = (high, at) if claim["asked"] == "delta" else (at, high)
        claims.append((*point, line))
    if not (tree["parts"] and claims):
        raise ValueError("There is no part, or no claim.")
    return rho, lost, claims


def main(args):
    try:
        rho, lost, claims = read(Path(*args).read_text(encoding="utf-8"))
        for epsilon, delta, line in claims:
            if None not in (epsilon, delta) and not holds(rho, lost, epsilon, delta, line):
                raise ArithmeticError
    except ArithmeticError:
        print("refused: a claim is not shown by its line.")
        return 1
    except (ValueError, TypeError, OSError, RecursionError) as error:
        print(f"This is not a certificate that can be read to its end: {error}", file=sys.stderr)
        return 2
    print(f"accepted: {len(claims)} of {len(claims)} claims.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
