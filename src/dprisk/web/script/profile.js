/* The largest epsilon of a risk profile max(a / (p q), r), from the largest posterior a and the ratio r
(Kazan and Reiter 2024). The belief is in both: in the data, prior p, and the value if so, prior q.

For x = e^-epsilon, posterior over prior is at most 1 / D, D = p q + p (1 - q) x^2 + (1 - p) x. So the profile
is kept where D >= m = min(p q / a, 1 / r). Where p q is below a / r, D - m is least at the largest q, and on
its ends in p (it is linear in p, and positive at p = 0). Where it is above, D >= 1 / r is hardest at the least
q, and at either end in p. So the priors that bind are those where p q = a / r, p = 1, or q = 1. */
"use strict";

const profiles = (() => {
  const MARGIN = 4e-14; // of m: more than forty times what D is off by, a sum of positive terms

  /** A decimal as it was typed: a whole number, and by which power of ten it is divided. */
  function decimal(number) {
    const [digits, power] = number.toExponential().split("e");
    const places = (digits.split(".")[1] || "").length;
    return [BigInt(digits.replace(".", "")), places - Number(power)];
  }

  /** Whether numbers in 100, and a ratio, multiply to 1 or more, exactly. */
  function reachesOne(included, valued, ratio) {
    const parts = [included, valued, ratio].map(decimal);
    const product = parts.reduce((all, [whole]) => all * whole, 1n);
    const places = parts.reduce((all, [, each]) => all + each, 4);
    return places <= 0 ? product > 0n : product >= 10n ** BigInt(places);
  }

  /** The largest epsilon where p, p q and m are given, rounded down. */
  function largest({ p, both, most }) {
    const missing = most * (1 + MARGIN) - both;
    const [square, once] = [p - both, 1 - p];
    const x = (2 * missing) / (once + Math.sqrt(once * once + 4 * square * missing));
    return x < 1 ? Math.max(0, -Math.log(x) * (1 - 4e-15)) : 0;
  }

  /** The priors that can bind, each with p, p q and m; none where the profile allows certainty. */
  function corners({ cap, ratio, covered, included, valued }, isReplaced) {
    const [a, r] = [cap / 100, ratio];
    const kept = { both: a / r, most: 1 / r };
    if (cap === 100) return [];
    const fixed = (first, second) => {
      const both = (first / 100) * (second / 100);
      const most = a > 0 ? Math.min(both / a, 1 / r) : 1 / r;
      return reachesOne(first, second, ratio) ? [] : [{ p: first / 100, q: second / 100, both, most }];
    };
    const atMembership = (first) => (first / 100 <= kept.both ? fixed(first, 100)
      : [{ p: first / 100, q: kept.both / (first / 100), ...kept }]);
    if (isReplaced) return covered === "value" ? fixed(100, valued) : atMembership(100);
    if (covered === "every") return atMembership(100);
    if (covered === "membership") return atMembership(included);
    if (covered === "both") return fixed(included, valued);
    const q = valued / 100;
    return [...fixed(100, valued), ...(q > kept.both ? [{ p: kept.both / q, q, ...kept }] : [])];
  }

  /** The largest epsilon in all that keeps a profile, and the priors at which it binds. */
  function solve(asked, isReplaced) {
    const found = corners(asked, isReplaced).map((one) => ({ ...one, epsilon: largest(one) }));
    const none = { epsilon: Infinity };
    const least = found.reduce((best, one) => (one.epsilon < best.epsilon ? one : best), none);
    // where one record is replaced, two steps of epsilon are one (Corollary 2)
    return isReplaced ? { ...least, epsilon: 2 * least.epsilon } : least;
  }

  /** Pairs of a prior in both, and the posterior that an epsilon allows there, at most. */
  function reached({ covered, included, valued }, isReplaced, epsilon) {
    const x = Math.exp(isReplaced ? -epsilon / 2 : -epsilon);
    const after = (p, both) => [both, both && both / (both + (p - both) * x * x + (1 - p) * x)];
    const steps = Array.from({ length: 101 }, (_, i) => i / 100);
    if (isReplaced ? covered === "value" : covered === "both") {
      const p = isReplaced ? 1 : included / 100;
      return [after(p, (p * valued) / 100)];
    }
    if (covered === "value") return steps.map((p) => after(p, (p * valued) / 100));
    const p = covered === "membership" && !isReplaced ? included / 100 : 1;
    return steps.map((q) => after(p, p * q));
  }

  return { solve, reached };
})();
