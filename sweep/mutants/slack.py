"""Terms of the error budget of composed losses, each set to zero: see docs/error-budget.md."""

from __future__ import annotations

from sweep.mutants.table import Mutant, Sweep

__all__ = ["SLACK"]

LINE = "tests/accountant/test_contour_slack.py tests/accountant/test_contour_coarse.py"
FAR = "tests/guarantees/test_far_ends.py"
FINITE = Sweep("finite x k", 8)
POINTS = "tests/losses/test_moments.py"
DECAY = "tests/accountant/test_composed_decay.py"
TABLE = "tests/accountant/test_contour_lattice.py"


def _line(old: str, new: str, *killers: str | Sweep) -> Mutant:
    return Mutant("accountant/contour.py", old, new, killers or (LINE,))


LINES = (
    _line(
        "lower = middle[0] - error[0] - self._aliases(x, chernoff)",
        "lower = middle[0] - error[0]",
    ),
    _line("np.maximum(middle - error - alias, 0.0)", "np.maximum(middle - error, 0.0)"),
    _line(
        "error = fixed + moving * (np.abs(x) + offset) + beyond",
        "error = fixed + moving * (np.abs(x) + offset)",
    ),
    _line("PHASE = 8 * ULP", "PHASE = 0.0"),
    _line("SCALE = 4 * ULP", "SCALE = 0.0"),
    _line("PLACE = 8 * ULP", "PLACE = 0.0"),
    _line("steady = self.error + rounded(len(self.s))", "steady = self.error"),
    _line("steady = self.error + rounded(len(self.s))", "steady = 0.0 + rounded(len(self.s))"),
    _line("lower = lower - penalty(self.smoothing, middle[1] + error[1])", "lower = lower + 0.0"),
    _line(
        "found = np.exp(np.minimum(exponent, 0.0)) + 1e-322",
        "found = np.exp(np.minimum(exponent, 0.0))",
    ),
    _line(
        "return np.where(exponent < UNDERFLOW_EXPONENT, SMALLEST, found)",
        "return np.where(exponent < UNDERFLOW_EXPONENT, 0.0, found)",
    ),
    _line(
        "fixed, moving = self._table.fixed * step, self._table.moving * step",
        "fixed, moving = 0.0 * step, 0.0 * step",
    ),
    _line(
        "beyond = self.beyond_flat * (self._largest_factors[which] @ shares)",
        "beyond = 0.0 * first",
    ),
    _line(
        "return np.minimum(4.0 + np.abs(total) + error, LARGEST_SUM) * SMALLEST",
        "return 0.0 * total",
        FAR + "::test_delta_below_the_range_of_normal_floats",
    ),
    Mutant(
        "accountant/contour.py",
        "steady = error + (16.0 + STAGE * np.log2(count)) * ULP",
        "steady = error",
        (TABLE, LINE),
    ),
    Mutant(
        "accountant/contour.py",
        "moved = 8 * ULP * np.abs(s)",
        "moved = 0.0 * np.abs(s)",
        (TABLE, LINE),
    ),
    Mutant(
        "accountant/abscissas.py",
        "left_out = float(size[~kept].sum()) + 2.0 * (half - last) * float(np.exp(-need))",
        "left_out = 0.0",
        (LINE,),
    ),
    Mutant(
        "accountant/abscissas.py",
        "2.0 * left / (np.pi * start) + sum(block[3] for block in blocks) / period,",
        "0.0,",
        (LINE,),
    ),
    Mutant(
        "accountant/abscissas.py",
        "beyond_flat=flat + sum(block[4] for block in blocks) / period,",
        "beyond_flat=0.0,",
        (LINE,),
    ),
)
MOMENTS = (
    Mutant(
        "accountant/mgf.py",
        "blur = 1e-12 + ROUNDINGS * np.abs(total)",
        "blur = 0.0 * np.abs(total)",
        (LINE, FINITE),
        "Bounds by Chernoff's inequality are above the truth by a factor of about sqrt(2 pi v), "
        "not by last digits.",
    ),
    Mutant(
        "accountant/mgf.py",
        "ROUNDINGS = 16 * ULP",
        "ROUNDINGS = 0.0",
        (LINE, "tests/losses/test_moments.py"),
        "An eighth of the error that is counted for single losses at the same place.",
    ),
    Mutant(
        "accountant/mgf.py",
        "blur, found, off = 4 * ULP * len(self.parts), [], []",
        "blur, found, off = 0.0, [], []",
        (LINE, FAR),
    ),
    Mutant(
        "accountant/mgf.py",
        "return float(np.exp(np.minimum(logs[0] - blur[0], 0.0)) * (1.0 - 2 * ULP))",
        "return float(np.exp(np.minimum(logs[0], 0.0)))",
        (LINE, FAR, FINITE),
        "What is certain also loses `complement`, which is raised by what is known of the moment: "
        "either of both is enough.",
    ),
    Mutant(
        "accountant/methods/by_contour.py",
        "high[far] = getattr(self.moments, bound).tail(x[far])",
        "high[far] = 0.0",
        (LINE,),
    ),
    Mutant(
        "accountant/methods/by_contour.py",
        "blur = revealed_off(self.parts)",
        "blur = 0.0",
        (LINE, FAR),
    ),
    Mutant(
        "losses/atoms.py",
        "(4.0 * steps * found.growth + found.terms + 1.0)",
        "(4.0 * steps * found.growth + found.terms)",
        (POINTS,),
        "Points that are left out have less than an ulp together, beside the 32 and more that the "
        "roundings of the others are allowed.",
    ),
    Mutant(
        "losses/atoms.py",
        "heavy = weights > ULP * weights.sum() / len(weights)",
        "heavy = weights > 1e6 * ULP * weights.sum() / len(weights)",
        (POINTS,),
    ),
    Mutant(
        "accountant/composed_decay.py",
        "steady[0] * start * start + periodic.decay(start, stop)",
        "steady[0] * start * start + periodic.decay(start, start)",
        (DECAY,),
    ),
    Mutant(
        "accountant/abscissas.py",
        "size + (flat / square)[out].sum(), sum_flat + flat[out].sum()",
        "size, sum_flat",
        (DECAY,),
    ),
    Mutant(
        "losses/mgf_decay.py",
        "off = 8.0 * ULP * stop * float((share * np.abs(losses)).sum())",
        "off = 0.0",
        ("tests/losses/test_mgf_decay_mgf_samples.py tests/losses/test_mgf_decay.py",),
        "It is at most `LOST`, a hundredth; for what lies between two samples, half a deviation "
        "apart, a thirty-second is allowed, and a chord is below the truth by no more than that.",
    ),
    Mutant(
        "losses/mgf_decay.py",
        "return _chords(size + images + between * (1.0 + off) + off + ROUNDING)",
        "return _chords(size + between * (1.0 + off) + off + ROUNDING)",
        ("tests/losses/test_mgf_decay_mgf_samples.py tests/losses/test_mgf_decay.py",),
    ),
    Mutant(
        "losses/mgf_decay.py",
        "return _chords(size + images + between * (1.0 + off) + off + ROUNDING)",
        "return _chords(size + images + off + ROUNDING)",
        ("tests/losses/test_mgf_decay_mgf_samples.py tests/losses/test_mgf_decay.py",),
    ),
)
VALUES = (
    Mutant(
        "accountant/methods/by_atoms.py",
        "return float(4 * ULP * (added + self.merged + self.terms + 8))",
        "return 0.0",
        (LINE,),
    ),
    Mutant(
        "accountant/methods/by_atoms.py",
        "return self.faint + 8 * SMALLEST * len(self.losses)",
        "return 0.0",
        (FAR, LINE),
    ),
    Mutant(
        "accountant/methods/by_atoms.py",
        "lost = sum(n * LEFT_OUT",
        "lost = sum(0.0 * n",
        (FAR, "tests/accountant/test_privacy_loss.py"),
    ),
    Mutant(
        "accountant/methods/by_atoms.py",
        "off += widest + VALUE * sum(sizes)",
        "off += 0.0",
        (FAR, LINE),
    ),
    Mutant(
        "accountant/methods/by_atoms.py",
        "blur = self._relative + (2.0 * self.off if other else 0.0)  # e^-l is off as l is",
        "blur = self._relative",
        (LINE, FAR),
        "Where e^-l is a float at all, `_relative` is three times what l is off.",
    ),
    Mutant(
        "_numeric/exact.py",
        "return np.asarray(np.exp(-quotient) * np.exp(-left))",
        "return np.asarray(np.exp(-quotient))",
        ("tests/numeric/test_exact_quotients.py",),
    ),
    Mutant(
        "accountant/loss_distribution.py",
        "before = np.where(np.isfinite(x), x - BESIDE * self._near(x), x)",
        "before = x",
        (FAR, FINITE),
    ),
)
PROFILE = (
    Mutant(
        "accountant/duality.py",
        "below = lower.delta(t + 2.0 * off).lower * max(1.0 - off, 0.0)",
        "below = lower.delta(t).lower",
        (LINE, "tests/losses/test_density.py", "tests/mechanisms/test_losses.py"),
    ),
    Mutant(
        "accountant/duality.py",
        "blur = self.blur + 4 * ULP * (self.a * high + np.abs(self.c))",
        "blur = self.blur",
        (LINE, "tests/accountant/test_privacy_loss.py", Sweep("one finite mechanism", 12)),
    ),
    Mutant(
        "accountant/duality.py",
        "z = (1.0 - a * np.where(inside, rest, 0.0)) / np.expm1(left)",
        "z = 1.0 / np.expm1(left)",
        ("tests/accountant/test_duality_shapes.py",),
    ),
    Mutant(
        "accountant/duality.py",
        "NEARBY = 8 * ULP",
        "NEARBY = 0.0",
        (LINE, FAR, Sweep("one finite mechanism", 12)),
        "What sums say of their own corners allows for more.",
    ),
    Mutant(
        "accountant/duality.py",
        "before, beyond = t - off, t + off",
        "before, beyond = t, t + off",
        ("tests/accountant/test_duality_corners.py",),
    ),
    Mutant(
        "accountant/methods/by_atoms.py",
        """The rounding of a sum of losses.\"\"\"
        return self.off""",
        """The rounding of a sum of losses.\"\"\"
        return 0.0""",
        ("tests/accountant/test_duality_corners.py",),
    ),
    Mutant(
        "accountant/duality.py",
        "MOST_BELOW = 37.0",
        "MOST_BELOW = 20.0",
        (FAR,),
    ),
    Mutant(
        "accountant/duality.py",
        "LOGARITHM = 4 * ULP",
        "LOGARITHM = 0.0",
        ("tests/accountant/test_duality_ratio_bound.py",),
    ),
    *(
        Mutant("_numeric/convex.py", old, new, ("tests/numeric/test_convex.py",))
        for old, new in (
            (
                "onward = np.minimum(five.low[1] - five.high[0], 0.0)",
                "onward = 0.0 * (five.low[1] - five.high[0])",
            ),
            (
                "back = np.minimum(five.low[2] - five.high[3:], 0.0)",
                "back = 0.0 * (five.low[2] - five.high[3:])",
            ),
            ("Z_ROUNDING = 8 * ULP", "Z_ROUNDING = 0.0"),
            ("ROUNDING = 4 * ULP", "ROUNDING = 0.0"),
        )
    ),
)
LATTICES = (
    Mutant(
        "losses/lattice.py",
        "from_next = np.append(np.maximum(-d[:-1], 0.0) / -np.expm1(-gap), 0.0)",
        "from_next = np.append(np.maximum(-d[:-1], 0.0) * 0.0, 0.0)",
        ("tests/losses/test_lattice_merge.py", "tests/losses/test_density.py"),
    ),
)

COUNTS = tuple(
    Mutant(file, old, new, (killer,))
    for file, old, new, killer in (
        (
            "accountant/mgf.py",
            "blur += count * off + ULP * np.abs(total)",
            "blur += count * off",
            "tests/accountant/test_mgf_many_parts.py",
        ),
        (
            "accountant/mgf.py",
            "error += count * (off + 4 * ULP * np.abs(value)) + ULP * np.abs(exponent)",
            "error += count * (off + 4 * ULP * np.abs(value))",
            "tests/accountant/test_mgf_many_parts.py",
        ),
        (
            "accountant/methods/by_contour.py",
            "top, off = max(self.support[1], 0.0), revealed_off(self.parts)",
            "top, off = max(self.support[1], 0.0), 4 * ULP",
            "tests/accountant/test_loss_sum_revealed.py",
        ),
        (
            "accountant/loss_distribution.py",
            "blur = 4 * ULP * (1.0 + size)",
            "blur = 4 * ULP * (1.0 + np.abs(floor))",
            "tests/accountant/test_loss_distribution.py",
        ),
        (
            "audit/growth.py",
            "off = 4.0 * (1.0 + abs(value))",
            "off = 0.0",
            "tests/audit/test_growth.py",
        ),
        (
            "accountant/methods/by_discretization.py",
            "sum(map(abs, each))",
            "abs(sum(each))",
            "tests/accountant/test_by_discretization.py",
        ),
        (
            "losses/laplace.py",
            "y, off = np.array([start, stop]), ULP * stop",
            "y, off = np.array([start, stop]), 0.0",
            "tests/losses/test_laplace_decay.py",
        ),
    )
)

SLACK = (*LINES, *MOMENTS, *VALUES, *PROFILE, *LATTICES, *COUNTS)
