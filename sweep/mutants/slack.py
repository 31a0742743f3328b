"""Terms of the error budget of composed losses, each set to zero."""

from __future__ import annotations

from sweep.mutants.table import Mutant, Sweep

__all__ = ["SLACK"]

LINE = "tests/sums/test_line_slack.py tests/sums/test_coarse_lines.py"
SUMS = "tests/sums tests/composition tests/losses"
SMOOTH = (Sweep("Gaussian x k", 3), Sweep("finite and Gaussian", 3), SUMS)
LATTICE = (Sweep("finite x k", 8), SUMS)

SLACK = (
    Mutant(
        "sums/line.py",
        "lower = middle[0] - error[0] - self._aliases(x, chernoff)",
        "lower = middle[0] - error[0]",
        (LINE, *SMOOTH),
    ),
    Mutant(
        "sums/line.py",
        "np.maximum(middle - error - alias, 0.0)",
        "np.maximum(middle - error, 0.0)",
        (LINE, *LATTICE),
    ),
    Mutant(
        "sums/line.py",
        "error = fixed + moving * (np.abs(x) + offset) + beyond",
        "error = fixed + moving * (np.abs(x) + offset)",
        (LINE, *SMOOTH),
    ),
    Mutant(
        "sums/line.py",
        "PHASE = 8 * ULP",
        "PHASE = 0.0",
        (LINE, *SMOOTH),
    ),
    Mutant(
        "sums/line.py",
        "steady = self.error + rounded(len(self.s))",
        "steady = self.error",
        (LINE, *SMOOTH),
    ),
    Mutant(
        "sums/line.py",
        "steady = self.error + rounded(len(self.s))",
        "steady = 0.0 * self.error + rounded(len(self.s))",
        (LINE, *SMOOTH),
    ),
    Mutant(
        "sums/line.py",
        "SCALE = 4 * ULP",
        "SCALE = 0.0",
        (LINE, *SMOOTH),
    ),
    Mutant(
        "sums/line.py",
        "off = PLACE * (np.abs(x) + abs(self.lattice.origin))",
        "off = 0.0 * x",
        (LINE, *LATTICE),
    ),
    Mutant(
        "sums/line.py",
        "lower = lower - penalty(self.smoothing, middle[1] + error[1])",
        "lower = lower + 0.0",
        (LINE, *SMOOTH),
    ),
    Mutant(
        "sums/line.py",
        "return np.asarray(np.exp(np.minimum(exponent, 0.0)) + 1e-322)",
        "return np.asarray(np.exp(np.minimum(exponent, 0.0)))",
        (LINE, *SMOOTH),
    ),
    Mutant(
        "sums/line.py",
        "error = (here + there) * (table.fixed + table.moving * (np.abs(first) + abs(origin)))",
        "error = 0.0 * (here + there)",
        (LINE, *LATTICE),
    ),
    Mutant(
        "sums/line.py",
        "error = error + beyond + np.abs(total) * SCALE * (2.0 + np.abs(exponent))",
        "error = error + np.abs(total) * SCALE * (2.0 + np.abs(exponent))",
        (LINE, *LATTICE),
    ),
    Mutant(
        "sums/lines.py",
        "left_out = float(size[~kept].sum()) + 2.0 * (half - last) * float(np.exp(-need))",
        "left_out = 0.0",
        (LINE, *LATTICE),
    ),
    Mutant(
        "sums/lines.py",
        "2.0 * left / (np.pi * start) + sum(block[3] for block in blocks) / period,",
        "0.0,",
        (LINE, *SMOOTH),
    ),
    Mutant(
        "sums/lines.py",
        "beyond_flat=flat + sum(block[4] for block in blocks) / period,",
        "beyond_flat=0.0,",
        (LINE, *SMOOTH),
    ),
    Mutant(
        "sums/pieces.py",
        "np.exp(np.minimum(chernoff.aliases(line.theta, line.period, x - half), FAR))",
        "0.0",
        (LINE, *SMOOTH),
    ),
    Mutant(
        "sums/pieces.py",
        "error = fixed + moving * (x + half) + (blur + 4 * ORDER * ULP) * size + rest",
        "error = rest + 0.0 * x",
        (LINE, *SMOOTH),
    ),
    Mutant(
        "sums/pieces.py",
        "error = fixed + moving * (x + half) + (blur + 4 * ORDER * ULP) * size + rest",
        "error = fixed + moving * (x + half) + (blur + 4 * ORDER * ULP) * size",
        (LINE, *SMOOTH),
    ),
    Mutant(
        "sums/pieces.py",
        "error = (error + line.beyond * np.exp(line.theta * half)) * scale",
        "error = error * scale",
        (LINE, *SMOOTH),
    ),
    Mutant(
        "sums/pieces.py",
        "below = below + penalty(line.smoothing, (density + flat) * scale)",
        "below = below + 0.0",
        (LINE, *SMOOTH),
    ),
    Mutant(
        "sums/moments.py",
        "blur = 1e-12 + ROUNDINGS * np.abs(total)",
        "blur = 0.0 * np.abs(total)",
        (LINE, *SMOOTH),
    ),
    Mutant(
        "sums/moments.py",
        "blur = 4 * ULP * len(self.parts)",
        "blur = 0.0",
        (LINE, *LATTICE),
    ),
    Mutant(
        "sums/by_lines.py",
        "high[far] = getattr(self.moments, bound).tail(x[far])",
        "high[far] = 0.0",
        (LINE, *SMOOTH),
    ),
    Mutant(
        "sums/by_lines.py",
        "blur = 4 * ULP * (2.0 + len(self.parts))  # of what is infinite",
        "blur = 0.0",
        (LINE, *LATTICE),
    ),
    Mutant(
        "sums/near_lattice.py",
        "return moved, float(off.max()) * (1.0 + 1e-9)",
        "return moved, 0.0",
        (LINE, *LATTICE),
    ),
    Mutant(
        "sums/by_points.py",
        "return float(4 * ULP * (added + self.merged + self.terms + 8))",
        "return 0.0",
        (LINE, *LATTICE),
    ),
    Mutant(
        "sums/by_points.py",
        "return self.faint + 8 * SMALLEST * len(self.losses)",
        "return 0.0",
        (LINE, *LATTICE),
    ),
    Mutant(
        "sums/by_points.py",
        "lost += count * LEFT_OUT",
        "lost += 0.0",
        (LINE, *LATTICE),
    ),
    Mutant(
        "sums/by_points.py",
        "off += widest + VALUE * sum(sizes)",
        "off += 0.0",
        (LINE, *LATTICE),
    ),
    Mutant(
        "sums/profile.py",
        "below = lower.delta(t + 2.0 * off).lower * (1.0 - off)",
        "below = lower.delta(t).lower",
        (LINE, Sweep("subsampled Gaussian", 4), SUMS),
    ),
    Mutant(
        "sums/profile.py",
        "blur = form.blur + 4 * ULP * (form.a * high + np.abs(form.c))",
        "blur = form.blur",
        (LINE, *LATTICE),
    ),
)
