"""Terms of the error budget of sums by closed forms, splines and quadrature, each set to zero."""

from __future__ import annotations

from sweep.mutants.table import Mutant

__all__ = ["CLOSED"]

SPLINES = "tests/accountant/test_by_splines_slack.py"
MIXED = "tests/accountant/test_by_shifts.py"
SAMPLED = "tests/accountant/test_subsampled.py::test_decay_is_a_bound"
ONCE = "tests/accountant/test_subsampled.py::test_once_is_a_closed_form"
CORNERS = "tests/accountant/test_by_shifts_polygons.py"
RULE = "tests/losses/test_gaussian_quadrature.py"
SLACK = "tests/accountant/test_subsampled_once_slack.py::"


def _spline(old: str, new: str, argued: str = "") -> Mutant:
    return Mutant("accountant/methods/by_splines.py", old, new, (SPLINES,), argued)


def _by_splines(old: str, new: str, argued: str = "") -> Mutant:
    return Mutant("accountant/methods/by_splines.py", old, new, (SPLINES,), argued)


def _rule(old: str, new: str, argued: str = "") -> Mutant:
    return Mutant("losses/gaussian_quadrature.py", old, new, (RULE,), argued)


def _by_lattice(old: str, new: str, argued: str = "") -> Mutant:
    return Mutant("accountant/methods/by_shifts.py", old, new, (CORNERS,), argued)


PIECES = (
    _spline("rounding = ULP * (12.0 * draws + 2.0 * len(place) + 64.0)", "rounding = 0.0"),
    _spline(
        "off = off[:-1] + (powers[-1] * (knots[:-1] + knots[1:]))[:, None]",
        "off = off[:-1]",
        "Up to 20 draws there is none; of more, 1 / 20! of what is there, 4e-19.",
    ),
    _spline("error = near * off + rest", "error = near * off"),
    _spline("error = near * off + rest", "error = rest"),
    _spline("(blur + ULP * (2.0 * TERMS + 8.0)) * near * size.sum(axis=0)", "0.0 * blur"),
    _spline("steps = ULP * (8.0 * np.arange(pieces) + 64.0)", "steps = 0.0 * np.arange(pieces)"),
    _spline("slack = ULP * 4.0 * TERMS", "slack = 0.0"),
    _spline("local = (np.exp(length) * error + reach) / own[:-1]", "local = reach / own[:-1]"),
    _spline(
        "local = (np.exp(length) * error + reach) / own[:-1]",
        "local = np.exp(length) * error / own[:-1]",
    ),
    _spline(
        "share = np.where(delta > 0.0, delta_off / delta, 0.0)[:-1]\n"
        "        share = np.maximum(share, ((delta_off + below_off) / own)[:-1])",
        "share = 0.0",
    ),
    _spline(
        "return np.asarray(weights[:kept], dtype=float), float(rest[kept - 1]) * 2.0",
        "return np.asarray(weights[:kept], dtype=float), 0.0",
        "What is not counted is `LOST`, 1e-20, of what is: no double shows it.",
    ),
    _by_splines("self._off * laid.steep[piece] + UNDERFLOW", "UNDERFLOW"),
    _by_splines("self._off * laid.steep[piece] + UNDERFLOW", "self._off * laid.steep[piece]"),
    _by_splines("off = value * laid.profile_off[piece] + self", "off = self"),
    _by_splines(
        "off = value * laid.other_off[piece] + 2.0 * self.near * laid.density[piece] + UNDERFLOW",
        "off = value * laid.other_off[piece] + UNDERFLOW",
    ),
    _by_splines(
        "off = value * laid.other_off[piece] + 2.0 * self.near * laid.density[piece] + UNDERFLOW",
        "off = 2.0 * self.near * laid.density[piece] + UNDERFLOW",
    ),
    _by_splines("if laid.lost:  # with", "if False:  # with", "The same 1e-20."),
    _by_splines("* (1.0 - 8 * ULP - 2.0 * self.near)", "* 1.0"),
    _by_splines("return 4.0 * self._off", "return 0.0 * self._off"),
)
ON_LATTICE = (
    _by_lattice("BETWEEN = 8 * ULP", "BETWEEN = 0.0"),
    _by_lattice("SHIFT = 4 * ULP", "SHIFT = 0.0", "Beside it BETWEEN and `off` allow for more."),
    _by_lattice(
        "off = PLACE * (x + abs(lattice.origin))",
        "off = 0.0 * x",
        "The lines allow for as much, on either side of where they are asked.",
    ),
    _by_lattice(
        "below = -np.expm1(-after[1:]) + np.exp(-after[1:]) * values[1:]",
        "below = -np.expm1(-after[1:])",
    ),
    _by_lattice(
        "        if upper:\n            return np.min",
        "        if not upper:\n            return np.min",
    ),
)
FEW = (
    Mutant(
        "accountant/methods/by_shifts.py",
        "off = self.few.off + 2 * ULP * (max(map(abs, self.few.support)) + x)",
        "off = 0.0",
        (MIXED,),
    ),
    Mutant(
        "accountant/methods/by_shifts.py",
        "        blur = self.few._relative\n",
        "        blur = 0.0\n",
        (MIXED,),
    ),
    Mutant(
        "accountant/methods/by_shifts.py",
        "for loss, some in ((self.many, ~turned), (self.back, turned)):",
        "for loss, some in ((self.back, ~turned), (self.many, turned)):",
        (MIXED,),
    ),
    Mutant(
        "accountant/methods/by_shifts.py",
        "(ByShifts(few, *both) for both in zip(known, back, strict=True))",
        "(ByShifts(few, *both) for both in zip(known, known, strict=True))",
        (MIXED,),
    ),
    Mutant(
        "accountant/methods/by_shifts.py",
        "return ByShifts(few, many, many if drawn == back else turned)",
        "return ByShifts(few, many, many)",
        ("tests/accountant/test_by_shifts_subsampled.py",),
    ),
    Mutant(
        "accountant/methods/by_shifts.py",
        "blur = 8 * ULP if upper else -8 * ULP",
        "blur = 0.0",
        (MIXED,),
        "What is said of the many allows for ten times as much.",
    ),
    Mutant(
        "accountant/loss_sum.py",
        "DOWNWARDS = 32 * ULP",
        "DOWNWARDS = 0.0",
        ("tests/guarantees/test_far_ends.py::test_tails_next_to_the_largest_loss",),
        "Tails next to the largest loss allow for 64 units of it.",
    ),
)
SUBSAMPLED = (
    Mutant(
        "accountant/methods/by_truncation.py",
        "found.lower - cut_sum.error(x[some]), shown",
        "found.lower, shown",
        (SLACK + "test_a_cut_below_what_is_asked_is_taken_off",),
    ),
    Mutant(
        "accountant/methods/by_truncation.py",
        "return np.asarray(np.exp(logs + 1e-9).sum(axis=0)) + self.off",
        "return np.asarray(np.exp(logs + 1e-9).sum(axis=0))",
        (SLACK + "test_what_is_split_off_may_be_off",),
    ),
    Mutant(
        "accountant/methods/by_truncation.py",
        "high[some] = np.minimum(found.upper + cut_sum.off, 1.0)",
        "high[some] = np.minimum(found.upper, 1.0)",
        (SLACK + "test_what_is_split_off_may_be_off",),
    ),
    Mutant(
        "accountant/methods/by_discretization.py",
        "made.append((pair, count))",
        "made.append((pair, 0))",
        (SLACK + "test_two_sums_whose_probabilities_are_off",),
        "The two sums are further apart by their spacing; "
        "test_two_sums_whose_probabilities_are_off shows what is done with it.",
    ),
    Mutant(
        "accountant/methods/by_discretization.py",
        "low = self.below.delta(x + 2.0 * off).lower * max(1.0 - off, 0.0)",
        "low = self.below.delta(x).lower",
        (SLACK + "test_two_sums_whose_probabilities_are_off",),
    ),
    Mutant(
        "accountant/methods/by_discretization.py",
        "high = self.above.delta(np.maximum(x - 2.0 * off, 0.0)).upper * (1.0 + off)",
        "high = self.above.delta(x).upper",
        (SLACK + "test_two_sums_whose_probabilities_are_off",),
    ),
    Mutant("accountant/methods/subsampled_once.py", "ROUNDING = 5e-14", "ROUNDING = 0.0", (ONCE,)),
    Mutant(
        "accountant/methods/subsampled_once.py",
        "UNDERFLOW = 8 * 5e-324",
        "UNDERFLOW = 0.0",
        (ONCE,),
    ),
    Mutant(
        "accountant/methods/subsampled_once.py",
        "NEXT = 16 * ULP",
        "NEXT = 0.0",
        (SLACK + "test_next_to_the_largest_loss_of_a_record_that_is_added",),
    ),
    Mutant(
        "accountant/methods/subsampled_once.py",
        "both = (others + self._added_up(y.ravel()).reshape(y.shape))",
        "both = others",
        (SLACK + "test_next_to_nothing_is_still_something",),
    ),
    Mutant(
        "accountant/methods/subsampled_once.py",
        "once.delta(y / total * (1.0 - 4 * ULP)).upper",
        "once.delta(y).upper",
        (SLACK + "test_two_that_each_say_half",),
    ),
    Mutant(
        "losses/gaussian_quadrature.py",
        "beyond *= OUTSIDE + self.at_cut * self._way_back(t, b)",
        "beyond *= self.at_cut * self._way_back(t, b)",
        (SAMPLED,),
        "1e-22 of what is there: at such a size nodes are left out anyhow.",
    ),
    Mutant(
        "losses/gaussian_quadrature.py",
        "beyond *= OUTSIDE + self.at_cut * self._way_back(t, b)",
        "beyond *= OUTSIDE",
        (SAMPLED,),
    ),
    Mutant(
        "accountant/loss_sum.py",
        "return math.expm1(min(exponent, LARGEST_EXPONENT))",
        "return exponent",
        ("tests/accountant/test_loss_sum_off.py",),
    ),
    Mutant(
        "losses/gaussian_quadrature.py",
        "turning + beyond + self.beyond_cut",
        "turning + beyond",
        ("tests/accountant/test_subsampled.py::test_a_cut_loss_decays_down_to_its_atom",),
    ),
)
QUADRATURE = (
    _rule(
        "off += np.abs(a) * (SPLIT_OFF * self.split + SPLIT_UNDERFLOW) + np.exp(left)",
        "off += np.exp(left)",
    ),
    _rule(
        "off += np.abs(a) * (SPLIT_OFF * self.split + SPLIT_UNDERFLOW) + np.exp(left)",
        "off += np.abs(a) * (SPLIT_OFF * self.split + SPLIT_UNDERFLOW)",
    ),
    _rule(
        "off = ULP * (self._roundings * size + self._steep(a, raised)).sum(axis=1)",
        "off = ULP * (self._roundings * size).sum(axis=1)",
        "Where exponents are large, 1e-11 of what is split off is ten times that; elsewhere "
        "roundings of terms are twice as much.",
    ),
    _rule(
        "off = ULP * (self._roundings * size + self._steep(a, raised)).sum(axis=1)",
        "off = ULP * self._steep(a, raised).sum(axis=1)",
    ),
    _rule(
        "off = (shares * moved).sum(axis=1) / whole + 4.0 * (np.abs(most) + np.abs(value))",
        "off = 0.0 * whole",
    ),
    _rule(
        "return value, ULP * off + np.log1p(np.exp(np.minimum(left - value, 600.0)))",
        "return value, ULP * off",
    ),
    _rule("lost = ULP * np.abs(t) * float(steady)", "lost = 0.0 * np.abs(t) * float(steady)"),
    _rule(
        "lost += math.exp(min(float(self._left_out(np.array([a]))[0]) - base, 600.0))",
        "lost += 0.0",
        "What the mean is off holds as much once more.",
    ),
    _rule("lost += math.expm1(min(off, 600.0))", "lost += 0.0"),
    _rule(
        "error = np.log1p(lost / whole) + 4.0 * ULP * (np.abs(value) + abs(base))",
        "error = np.log1p(lost / whole)",
        "A few roundings of the logarithm, beside `roundings` of all terms.",
    ),
    _rule(
        "- math.log(STEEPEST)",
        "- 800.0",
        "Rules end where the density is e^-91 of the largest, `TAIL` away from all peaks.",
    ),
)
MOMENTS = "tests/losses/test_moments.py"
SINGLE = (
    Mutant(
        "losses/normal.py",
        "16.0 * ULP * (self.mu * self.mu / 2.0)",
        "0.0 * (self.mu * self.mu / 2.0)",
        (MOMENTS,),
    ),
    Mutant("losses/discrete_gaussian.py", "np.log1p(8.0 * ULP * lost", "(0.0 * lost", (MOMENTS,)),
    Mutant(
        "losses/discrete_gaussian.py",
        "+ 8.0 * ULP * (known + np.abs(log_moment))",
        "+ 0.0 * (known + np.abs(log_moment))",
        (MOMENTS,),
    ),
    Mutant(
        "losses/laplace.py",
        "np.where(near, 16.0 * ULP * close,",
        "np.where(near, 0.0 * close,",
        (MOMENTS,),
    ),
    Mutant(
        "losses/laplace.py", "apart = np.log1p(16.0 * ULP * lost", "apart = (0.0 * lost", (MOMENTS,)
    ),
    Mutant(
        "accountant/mgf_nodes.py",
        "return ULP * (2.0 * terms",
        "return 0.0 * (2.0 * terms",
        ("tests/accountant/test_mgf_nodes_on_lattices.py",),
    ),
    Mutant(
        "losses/lattice.py",
        "return self._loss(at, sums[0], *self.far.sum(axis=0))",
        "return self._loss(at, sums[0])",
        ("tests/losses/test_density.py",),
    ),
)

CLOSED = (*PIECES, *ON_LATTICE, *FEW, *SUBSAMPLED, *QUADRATURE, *SINGLE)
