/* What a promise costs: the least noise on a count that keeps it, and how far off that is. */
"use strict";

const noise = (() => {
  const NORMAL = 1.9599639845400545; // 95 of 100 are within so many standard deviations
  const ODDS = Math.log(20);

  /** Geometric noise is off by at most so many, in 95 of 100 cases. */
  function within(epsilon) {
    const tail = (most) => (2 * Math.exp(-epsilon * (most + 1))) / (1 + Math.exp(-epsilon));
    let most = Math.max(0, Math.floor(ODDS / epsilon) - 2);
    while (tail(most) > 0.05 * (1 - 1e-12)) most += 1;
    return most;
  }

  const exponential = (epsilon) => [
    { kind: "geometric", width: 1 / epsilon, off: within(epsilon) },
    { kind: "laplace", width: 1 / epsilon, off: ODDS / epsilon },
  ];
  const normal = (sigma) => [{ kind: "gaussian", width: sigma, off: NORMAL * sigma }];

  /** The least sigma of (epsilon, delta): the largest mu whose delta there is no more. */
  function sigma(epsilon, delta) {
    let [low, high] = [Math.log(1e-9), Math.log(1e6)];
    for (let turn = 0; turn < 60; turn += 1) {
      const middle = (low + high) / 2;
      const found = engine.guarantee("gaussian", { mu: Math.exp(middle) }).delta(epsilon);
      if (found <= delta) low = middle;
      else high = middle;
    }
    return Math.exp(-low);
  }

  const KINDS = {
    pure: ({ epsilon }) => exponential(epsilon),
    approximate: ({ epsilon, delta }) =>
      (delta > 0 ? [...exponential(epsilon), ...normal(sigma(epsilon, delta))] : exponential(epsilon)),
    concentrated: ({ rho }) => normal(1 / Math.sqrt(2 * rho)),
    gaussian: ({ mu }) => normal(1 / mu),
  };

  /** Kinds of noise that keep a promise, each with its width; none where nothing may be told. */
  return (kind, parameters) =>
    KINDS[kind](parameters).filter(({ width }) => Number.isFinite(width));
})();
