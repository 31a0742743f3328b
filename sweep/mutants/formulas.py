"""Formulas at the heart, each made wrong in a way that somebody might get it wrong."""

from __future__ import annotations

from sweep.mutants.table import Mutant, Sweep

__all__ = ["FORMULAS"]

TWICE = "tests/guarantees/test_base_two_steps.py"
PROMISES = "tests/guarantees/test_brute_force.py tests/guarantees/test_rounding.py"
OUTWARDS = "tests/guarantees/test_convert_outwards.py::"
RISK = "tests/risk"
TOGETHER = "tests/composition"

FORMULAS = (
    # promises
    Mutant(
        "guarantees/pure.py",
        "return PureDP(2.0 * self.stated_epsilon,",
        "return PureDP(1.0 * self.stated_epsilon,",
        (Sweep("for_neighbors", 40), PROMISES),
    ),
    Mutant(
        "guarantees/gaussian.py",
        "return GaussianDP(2.0 * self.mu,",
        "return GaussianDP(2.0**0.5 * self.mu,",
        (Sweep("for_neighbors", 40), PROMISES),
    ),
    Mutant(
        "guarantees/renyi.py",
        "return ZeroConcentratedDP(4.0 * self.rho, xi=3.0 * self.xi,",
        "return ZeroConcentratedDP(2.0 * self.rho, xi=3.0 * self.xi,",
        (TWICE,),
    ),
    Mutant(
        "guarantees/renyi.py",
        "return ZeroConcentratedDP(4.0 * self.rho, xi=3.0 * self.xi,",
        "return ZeroConcentratedDP(4.0 * self.rho, xi=2.0 * self.xi,",
        (TWICE,),
    ),
    Mutant(
        "guarantees/renyi.py",
        "(a / 2.0, g * (a / (a - 1.0) + 1.0))",
        "(a / 2.0, g * (a / (a - 1.0)))",
        (TWICE,),
    ),
    Mutant(
        "guarantees/piecewise.py",
        "both = up(height * (1.0 + np.exp(-epsilon)),",
        "both = up(height * 1.0,",
        (Sweep("ApproxDP"), PROMISES),
    ),
    Mutant(
        "guarantees/order_limits.py",
        "return _loss_of(share, log_slope, np.exp(-log_slope))",
        "return _loss_of(share, log_slope, 0.0)",
        (Sweep("RenyiDP", 12), PROMISES, RISK),
    ),
    Mutant(
        "guarantees/order_limits.py",
        'return height if sides == "one" else on_both_sides(height, epsilon)',
        "return height",
        (Sweep("RenyiDP", 12), PROMISES),
    ),
    Mutant(
        "guarantees/order_limits.py",
        "at = np.argmax(over, axis=1)",
        "at = np.argmin(over, axis=1)",
        (Sweep("RenyiDP", 12), PROMISES),
    ),
    Mutant(
        "guarantees/probabilistic.py",
        "far = np.where(epsilon == np.inf, b, up(b / (b + rest)))",
        "far = np.where(epsilon == np.inf, b, up(b / (1.0 + rest)))",
        (Sweep("ProbabilisticallyBoundedDP"), PROMISES),
    ),
    Mutant(
        "guarantees/probabilistic.py",
        'if sides == "both" and self.sides == "one":  # P[Z < -t] <= e^-t P\'[Z\' > t]',
        "if False:",
        (Sweep("ProbabilisticDP", 12), PROMISES),
    ),
    Mutant(
        "guarantees/gaussian.py",
        "moved = np.maximum(ndtr_up(sum_up(z, self.mu)), level)",
        "moved = np.maximum(ndtr_down(sum_up(z, self.mu)), level)",
        (Sweep("GaussianDP"), PROMISES),
    ),
    Mutant(
        "guarantees/approximate.py",
        "both = times_exp(second, epsilon) + first",
        "both = second + first",
        (Sweep("for_neighbors", 40), TWICE),
    ),
    # losses that are known
    Mutant(
        "accountant/loss_sum.py",
        "return Bracket(*(np.maximum.reduce(ends) for ends in zip(*found, strict=True)))",
        "return found[0]",
        (Sweep("one finite mechanism", 12), PROMISES),
    ),
    Mutant(
        "accountant/privacy_loss.py",
        "low = np.minimum.reduce([one.lower for one in found])",
        "low = found[0].lower",
        (Sweep("one finite mechanism", 12), PROMISES),
    ),
    Mutant(
        "accountant/privacy_loss.py",
        "return max(low), max(high)",
        "return low[0], high[0]",
        (Sweep("one finite mechanism", 24), PROMISES),
    ),
    Mutant(
        "accountant/profiles.py",
        "found.append(found[-1].turned)",
        "found.append(found[-1])",
        (Sweep("one finite mechanism", 12), PROMISES),
    ),
    Mutant(
        "accountant/profiles.py",
        "for turned in product((False, True), repeat=len(free)):",
        "for turned in product((False,), repeat=len(free)):",
        ("tests/accountant/test_privacy_loss.py::test_replacing_has_no_direction",),
    ),
    Mutant(
        "losses/normal.py",
        "share = (1.0 - self.revealed) * expit(np.array([-self.epsilon, self.epsilon]))",
        "share = expit(np.array([-self.epsilon, self.epsilon]))",
        ("tests/losses/test_moments.py", Sweep("finite, mixed", 40)),
    ),
    Mutant(
        "losses/normal.py",
        "return (self.mu * self.mu / 2.0) * (s * (s + 1.0))",
        "return (self.mu * self.mu / 2.0) * (s * s)",
        ("tests/losses/test_moments.py",),
    ),
    Mutant(
        "losses/laplace.py",
        "total = 2.0 - fading + c * _ratio_to(fading, w)",
        "total = 2.0 - fading + _ratio_to(fading, w)",
        ("tests/losses/test_moments.py",),
    ),
    # several releases
    Mutant(
        "composition/theorems.py",
        'ApproxDP(_up(sums["epsilon"]), min(_up(sums["delta"]), 1.0), neighbors=neighbors)',
        'ApproxDP(_up(sums["epsilon"]), min(_up(sums["delta"]) / 2.0, 1.0), neighbors=neighbors)',
        (Sweep("compose by rule", 20), "tests/composition"),
    ),
    Mutant(
        "composition/composing.py",
        "counted.extend((pair, inner * count) for pair, inner in pairs)",
        "counted.extend((pair, inner) for pair, inner in pairs)",
        (Sweep("finite x k", 6), TOGETHER),
    ),
    Mutant(
        "composition/theorems.py",
        "deviation = math.sqrt(2.0 * logarithm * square)",
        "deviation = math.sqrt(logarithm * square)",
        ("tests/composition/test_theorems.py", "tests/papers/test_p0_composition.py"),
    ),
    # conversions
    Mutant(
        "guarantees/rules.py",
        "limit = rounded_up(Fraction(known.xi) + Fraction(known.rho) * Fraction(a))",
        "limit = rounded_up(Fraction(known.rho) * Fraction(a))",
        (OUTWARDS + "test_mean_concentrated_as_renyi",),
    ),
    Mutant(
        "guarantees/rules.py",
        "higher = [g for order, g in zip(known.alpha, known.gamma, strict=True) if order >= a]",
        "higher = [g for order, g in zip(known.alpha, known.gamma, strict=True)]",
        (PROMISES, "tests/properties/test_conversions.py"),
    ),
    # what is learned
    Mutant(
        "risk/adversary.py",
        'return 1 if guarantee.neighbors == "replace-one" else 2',
        "return 1",
        (RISK,),
    ),
    Mutant(
        "risk/ratio_tails.py",
        'twice = guarantee.for_neighbors("replace-one")',
        "twice = guarantee",
        (Sweep("three worlds", 40), Sweep("three worlds, budgets", 40)),
    ),
    Mutant(
        "risk/joint.py",
        "return self._whole if self.confidence is None else Shifts(two, two)",
        "return self._whole",
        (Sweep("three worlds", 100), RISK),
    ),
    Mutant(
        "risk/joint.py",
        "nextafter(1.0 - float(complement(sure)) / 2.0, 1.0)",
        "nextafter(1.0 - float(complement(sure)), 1.0)",
        (Sweep("three worlds", 40), RISK),
    ),
    Mutant(
        "risk/rows.py",
        "loss = widened(e, d, f, np.exp(-e))",
        "loss = widened(e, d, f, 0.0 * e)",
        (Sweep("row_bounds", 2), RISK),
    ),
    Mutant(
        "_numeric/odds.py",
        "low, high = (some / (some + rest * end) for end in (most, least))",
        "low, high = (some / (some + rest * end) for end in (least, most))",
        (Sweep("attack", 12), RISK),
    ),
    Mutant(
        "_numeric/odds.py",
        "return np.minimum(up(np.tanh(e / 4.0),",
        "return np.minimum(up(np.tanh(e / 8.0),",
        (Sweep("disclosure", 12), RISK),
    ),
    Mutant(
        "guarantees/probabilistic.py",
        "return np.array([0.0, corner])",
        "return None",
        (RISK,),
    ),
    Mutant(
        "risk/ratio_tails.py",
        "return 2.0 * known.most if",
        "return known.most if",
        (RISK,),
    ),
    Mutant(
        "risk/ratio_tails.py",
        "found = _averaged_loss(known, failure / 2.0 if",
        "found = _averaged_loss(known, failure if",
        (
            "tests/risk/test_counterfactual.py"
            "::test_averaged_over_records_both_sides_share_the_failure",
        ),
    ),
    # budgets
    Mutant(
        "budget/profile.py",
        'A, B = p * (1.0 - q), 1.0 - p\n    with np.errstate(all="ignore"):\n        root',
        'A, B = p * q, 1.0 - p\n    with np.errstate(all="ignore"):\n        root',
        (Sweep("largest_epsilon", 4), "tests/budget"),
    ),
    Mutant(
        "budget/profile.py",
        "value = epsilon - np.maximum(48.0 * ROUND * epsilon, wished)",
        "value = epsilon + np.maximum(48.0 * ROUND * epsilon, wished)",
        (Sweep("largest_epsilon", 4), "tests/budget"),
    ),
    Mutant(
        "budget/limits.py",
        "power = failure / (1.0 + faint) if",
        "power = failure if",
        ("tests/budget/test_limits.py",),
    ),
)
