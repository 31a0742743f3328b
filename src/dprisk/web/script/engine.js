/* What a guarantee does to a belief, for the page that needs no server.

Every number is a bound: what is computed to a few parts in 1e15 is moved outwards by MARGIN,
which is more than Python's answers are moved. Each search below is over bounds all of which hold, so where
it stops costs tightness only. Numbers of propositions are those of the documentation's theorems. */
"use strict";

const engine = (() => {
  const MARGIN = 2e-14;
  const LITTLE = 8e-15; // more than Python's 32 roundings: a failure may be hardly more than a delta
  const LEAST = 8 * Number.MIN_VALUE; // Python rounds upwards more than once
  const up = (x) => x * (1 + MARGIN);
  const size = (x) => Math.abs(Math.log(Math.max(x, Number.MIN_VALUE)));
  const chance = (x) => Math.min(1, x * (1 + MARGIN + 2e-15 * size(x)) + Number.MIN_VALUE);
  const wide = (x) => x * (1 + 7e-13 + 1.5e-14 * size(x) * far(x, 28)) + Number.MIN_VALUE;
  const tail = (x) =>
    x * (1 + 5e-13 + Math.min(2.3e-13, 5e-14 * size(x)) + 5e-15 * size(x) * far(x, 25)) + LEAST;
  const far = (x, from) => Math.max(1, (size(x) / from) ** 3); // digits are lost to the size of logs
  const down = (x) => (x < 1e-300 ? 0 : x * (1 - MARGIN)); // below, digits are lost
  const capped = (x) => Math.min(up(x), 1);

  // --- searches -------------------------------------------------------------------------------

  /** The root of a rising function between two ends, by bisection to the last bit. */
  function root(f, low, high) {
    for (let turn = 0; turn < 200; turn += 1) {
      const middle = (low + high) / 2;
      if (middle <= low || middle >= high) break;
      if (f(middle) > 0) high = middle;
      else low = middle;
    }
    return high;
  }

  /** The least value of a function on a range: the best of equal steps, then golden sections. */
  function least(f, low, high, steps) {
    let best = Infinity;
    let at = low;
    const step = (high - low) / steps;
    for (let i = 0; i <= steps; i += 1) {
      const value = f(low + i * step);
      if (value < best) [best, at] = [value, low + i * step];
    }
    let [from, to] = [Math.max(low, at - step), Math.min(high, at + step)];
    const golden = (Math.sqrt(5) - 1) / 2;
    let [left, right] = [to - golden * (to - from), from + golden * (to - from)];
    let [first, second] = [f(left), f(right)];
    for (let turn = 0; turn < 44; turn += 1) {
      if (first < second) {
        [to, right, second] = [right, left, first];
        left = to - golden * (to - from);
        first = f(left);
      } else {
        [from, left, first] = [left, right, second];
        right = from + golden * (to - from);
        second = f(right);
      }
      best = Math.min(best, first, second);
    }
    return best;
  }

  // --- functions without cancellation ---------------------------------------------------------

  /** log(1 - e^-x), x > 0. */
  const log1mexp = (x) => (x < Math.LN2 ? Math.log(-Math.expm1(-x)) : Math.log1p(-Math.exp(-x)));

  const logaddexp = (x, y) => Math.max(x, y) + Math.log1p(Math.exp(-Math.abs(x - y)));

  /** e^z - 1 - z. */
  function excess(z) {
    if (Math.abs(z) >= 1) return Math.expm1(z) - z;
    let sum = 0;
    for (let n = 20; n >= 2; n -= 1) sum = (1 + sum) * (z / n);
    return sum * z;
  }

  /** Its logarithm, z >= 0, without overflow. */
  const logExcess = (z) =>
    z < 1 ? Math.log(excess(z)) : z + Math.log1p(-(1 + z) * Math.exp(-z));

  /** log(1 + z) - z. */
  function logExcess1p(z) {
    if (Math.abs(z) >= 0.25) return Math.log1p(z) - z;
    const s = z / (2 + z); // log(1 + z) = 2 artanh(s)
    let sum = 0;
    for (let n = 25; n >= 3; n -= 2) sum = (sum + 2 / n) * s * s;
    return s * sum - s * z;
  }

  /** sinh(z) - z, z >= 0. */
  function sinhExcess(z) {
    if (z >= 1) return Math.sinh(z) - z;
    let sum = 0;
    for (let n = 10; n >= 1; n -= 1) sum = ((1 + sum) * z * z) / (2 * n * (2 * n + 1));
    return sum * z;
  }

  /** coth(z) - 1 / z, z in (0, 1/2]: (z cosh(z) - sinh(z)) / z / sinh(z). */
  function cothExcess(z) {
    let [sum, term] = [0, 1];
    for (let n = 1; n <= 10; n += 1) {
      term *= (z * z) / (2 * n * (2 * n + 1));
      sum += 2 * n * term;
    }
    return sum / Math.sinh(z);
  }

  // --- the normal distribution ----------------------------------------------------------------

  // Rational approximations of the error function (W. J. Cody, Math. Comp. 23, 1969).
  const NEAR = [
    [1.85777706184603153e-1, 3.1611237438705656, 113.864154151050156, 377.485237685302021,
      3209.37758913846947],
    [1, 23.6012909523441209, 244.024637934444173, 1282.61652607737228, 2844.23683343917062],
  ];
  const MIDDLE = [
    [2.15311535474403846e-8, 5.64188496988670089e-1, 8.88314979438837594, 66.1191906371416295,
      298.635138197400131, 881.95222124176909, 1712.04761263407058, 2051.07837782607147,
      1230.33935479799725],
    [1, 15.7449261107098347, 117.693950891312499, 537.181101862009858, 1621.38957456669019,
      3290.79923573345963, 4362.61909014324716, 3439.36767414372164, 1230.33935480374942],
  ];
  const FAR = [
    [1.63153871373020978e-2, 3.05326634961232344e-1, 3.60344899949804439e-1,
      1.25781726111229246e-1, 1.60837851487422766e-2, 6.58749161529837803e-4],
    [1, 2.56852019228982242, 1.87295284992346047, 5.27905102951428412e-1,
      6.05183413124413191e-2, 2.33520497626869185e-3],
  ];
  const horner = (coefficients, x) => coefficients.reduce((sum, each) => sum * x + each, 0);
  const quotient = ([above, below], x) => horner(above, x) / horner(below, x);

  /** (1 - Phi(x)) / phi(x), Mills' ratio. */
  function mills(x) {
    const z = x / Math.SQRT2;
    if (z < 0.46875) return ndtr(-x) / density(x);
    let scaled = quotient(MIDDLE, z);
    if (z > 4) {
      const square = 1 / (z * z);
      scaled = (1 / Math.sqrt(Math.PI) - square * quotient(FAR, square)) / z;
    }
    return scaled * Math.sqrt(Math.PI / 2);
  }

  const density = (x) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);

  function ndtr(x) {
    const z = x / Math.SQRT2;
    if (Math.abs(z) < 0.46875) return 0.5 + (z * quotient(NEAR, z * z)) / 2;
    return x < 0 ? density(x) * mills(-x) : 1 - density(x) * mills(x);
  }

  const logNdtr = (x) =>
    x < -1 ? (-x * x) / 2 - Math.log(2 * Math.PI) / 2 + Math.log(mills(-x)) : Math.log(ndtr(x));

  // Gauss and Legendre's rule of twelve points: distances from the middle, of half the width, and weights.
  const LEGENDRE = [
    [0.1252334085114689, 0.2491470458134028], [0.3678314989981802, 0.2334925365383548],
    [0.5873179542866175, 0.2031674267230659], [0.7699026741943047, 0.1600783285433462],
    [0.9041172563704749, 0.1069393259953184], [0.9815606342467193, 0.0471753363865118],
  ];

  /** mills(x) - mills(x + width), at least: the integral of 1 - u mills(u), which cancels less. */
  function fallen(x, width) {
    const [half, falling] = [width / 2, (u) => 1 - u * mills(u) + 1e-15];
    const each = ([apart, weight]) =>
      weight * (falling(x + half - half * apart) + falling(x + half + half * apart));
    return half * LEGENDRE.reduce((sum, one) => sum + each(one), 0);
  }

  // --- pure and approximate DP: two lines (Propositions 1 and 2) --------------------------------

  function approximate(epsilon, delta) {
    const corner = (1 - delta) / (1 + Math.exp(-epsilon)); // its power, less delta
    const profile = (t) => delta - Math.expm1(Math.min(t - epsilon, 0)) * corner;
    return {
      loss(failure) {
        if (delta === 0) return epsilon;
        if (failure <= delta) return Infinity;
        const share = delta / failure;
        return up(epsilon + Math.log1p(share * Math.exp(-epsilon)) - Math.log1p(-share));
      },
      delta: (t) => (t >= epsilon ? delta : capped(profile(t))),
      epsilon(limit) {
        if (limit < delta) return Infinity;
        if (limit >= profile(0)) return 0;
        const share = ((limit - delta) * (1 + Math.exp(-epsilon))) / (1 - delta);
        return limit === delta ? epsilon
          : Math.min(epsilon, up(epsilon + Math.log1p(-share)) + 6e-15 * epsilon);
      },
      power(level) {
        const rest = Math.exp(-epsilon) * (1 - delta - level);
        const far = rest > 0 ? up(1 - rest) : 1;
        return Math.min(up(delta + Math.exp(epsilon) * level), far, 1);
      },
      twice: () => approximate(2 * epsilon, Math.min(1, delta && (1 + Math.exp(epsilon)) * delta * (1 + LITTLE))),
      repeated: (count) => (count === 1 ? approximate(epsilon, delta) : responses(epsilon, delta, count)),
      certain: delta === 0,
    };
  }

  // --- repeated releases of these: randomized response over and over (Kairouz et al. 2015) -------

  const EXACT = 1000; // releases up to which sums keep their digits

  /** All of a binomial number of heads, from the mode outwards; heads are e^epsilon times likelier. */
  function tosses(count, epsilon) {
    const found = new Float64Array(count + 1);
    const mode = Math.min(count, Math.floor((count + 1) / (1 + Math.exp(-epsilon))));
    found[mode] = 1;
    for (let i = mode; i < count; i += 1) {
      found[i + 1] = found[i] * ((count - i) / (i + 1)) * Math.exp(epsilon);
    }
    for (let i = mode; i > 0; i -= 1) {
      found[i - 1] = found[i] * (i / (count - i + 1)) * Math.exp(-epsilon);
    }
    const total = found.slice().sort().reduce((sum, each) => sum + each, 0);
    return [found.map((each) => each / total), mode];
  }

  function responses(epsilon, delta, count) {
    const basic = approximate(up(count * epsilon), Math.min(1, up(count * delta)));
    if (epsilon > 300 || count > 1e5 || epsilon + delta === 0) return basic;
    const open = -Math.expm1(count * Math.log1p(-delta)); // what may happen without any limit
    const [heads, mode] = tosses(count, epsilon);
    /** How far sums may be off that end at a number of heads: each step from the mode rounds thrice. */
    function margin(i) {
      const steps = Math.max(Math.abs(i - mode), Math.abs(mode - count + i)) + 4 * Math.sqrt(count);
      return count > EXACT ? 1e-9 : 1e-14 + 4e-16 * steps;
    }
    const lossAt = (i) => (2 * i - count) * epsilon;
    const end = count * epsilon * (1 + Number.EPSILON);
    // of at least so many heads, if these are likelier, if tails are, and the difference
    const power = new Float64Array(count + 2);
    const level = new Float64Array(count + 2);
    const apart = new Float64Array(count + 2);
    for (let i = count; i >= 0; i -= 1) {
      power[i] = power[i + 1] + heads[i];
      level[i] = level[i + 1] + heads[count - i];
      apart[i] = apart[i + 1] - heads[i] * Math.expm1(-lossAt(i));
    }
    /** The most heads for which something that rises as heads fall is above a value. */
    function last(rising, value) {
      let [low, high] = [0, count + 1];
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2);
        if (rising(middle) > value) low = middle;
        else high = middle;
      }
      return low;
    }
    const rounded = (i) => lossAt(i) * (1 + Number.EPSILON); // upwards, if it is positive
    function profile(t) {
      let [sum, i] = [0, count];
      for (; i >= 0 && rounded(i) > t; i -= 1) sum -= heads[i] * Math.expm1(t - rounded(i));
      return (open + (1 - open) * sum) * (1 + margin(i));
    }
    return {
      loss(failure) {
        const rest = (failure - open) / (1 - open);
        if (failure === 0 || rest <= 0) return basic.loss(failure);
        const i = last((j) => level[j] + power[j], rest);
        const part = (rest - level[i + 1] - power[i + 1]) / (heads[i] + heads[count - i]);
        const below = (1 - open) * (level[i + 1] + part * heads[count - i]);
        const above = open + (1 - open) * (apart[i + 1] - part * heads[i] * Math.expm1(-lossAt(i)));
        // sums lose digits where a failure is small, and what is subtracted from it cancels
        const lost = 3.6e-15 + 3e-16 * Math.max(0, size(failure) - 7) + (4.2e-15 * open) / (failure - open);
        return below < 1e-290 ? basic.loss(failure) * (1 + 1e-3)
          : up(Math.log1p((above / below) * (1 + margin(i)))) + lost;
      },
      delta: (t) => Math.min(1, up(profile(t))),
      epsilon(limit) {
        if (limit < open) return Infinity;
        return limit >= profile(0) ? 0 : Math.min(up(root((t) => limit - profile(t), 0, end)), end);
      },
      power(asked) {
        const rest = asked / (1 - open);
        if (rest >= 1) return 1;
        const i = last((j) => level[j], rest);
        const part = (rest - level[i + 1]) / heads[count - i];
        const within = power[i + 1] + part * heads[i];
        const missed = (1 - open) * Math.max(0, 1 - within);
        const most = up((open + (1 - open) * within) * (1 + margin(i)));
        return Math.min(most, 1 - missed * (1 - margin(i)) + 2e-14, 1);
      },
      certain: delta === 0,
    };
  }

  // --- Gaussian DP: two normals mu apart --------------------------------------------------------

  function gaussian(mu) {
    if (mu === 0) return approximate(0, 0);
    const profile = (t) => {
      const x = t / mu - mu / 2;
      if (x < -3) return ndtr(-x) - Math.exp(t + logNdtr(-x - mu));
      if (mu < 0.5) return density(x) * fallen(x, mu);
      const first = mills(x);
      return density(x) * (first - mills(x + mu) + 1e-15 * first); // both digits may cancel
    };
    const furthest = mu * (mu / 2 + 77);
    /** More than what Python raises it by, however close the limit is to the largest delta. */
    const raised = (t) => profile(t) * (1 + 1.6e-14 + 1.5e-15 * (t / mu - mu / 2) ** 2);
    return {
      loss(failure) {
        // level + power is the failure at some threshold x >= mu / 2; the loss is their ratio
        const sum = (x) => logaddexp(logNdtr(-x), logNdtr(mu - x));
        const x = root((z) => Math.log(failure) - sum(z), mu / 2, mu + 77);
        const near = mu < 1 ? mu * (x - mu / 2) + Math.log1p(fallen(x - mu, mu) / mills(x)) : 0;
        const loss = up(up(near || logNdtr(mu - x) - logNdtr(-x)));
        return loss + MARGIN * Math.min(loss, 5); // a small loss is off by more of its size
      },
      delta: (t) => chance(profile(t)),
      epsilon: (limit) =>
        limit >= raised(0) ? 0 : up(root((t) => limit - raised(t), 0, furthest)),
      power(level) {
        if (level <= 0 || level >= 1) return level;
        const x = root((z) => Math.log(level) - logNdtr(-z), -39, 39);
        return Math.max(level, capped(up(up(up(ndtr(mu - x))))));
      },
      twice: () => gaussian(2 * mu),
      repeated: (count) => gaussian(mu * Math.sqrt(count) * (1 + 2 * Number.EPSILON)),
      certain: false,
    };
  }

  // --- zCDP: the best order of many (Propositions 3 and 21) --------------------------------------

  /** How far two coins with y = e^t x are beyond the limit of an order, which rises with t. */
  function beyond(extra, rho, y, notX, notY, t) {
    const apart = y * -Math.expm1(-t);
    const b = -Math.log1p(-apart / notX);
    const share = -Math.expm1(-t);
    const first = t > 0.2 ? share - t : logExcess1p(-share);
    const kl = -y * first - notY * logExcess1p(apart / notY);
    const heads = Math.log(y) + logExcess(extra * t);
    const rest = Math.log(notY * excess(-extra * b) + extra * kl);
    const sum = logaddexp(heads, rest);
    return (sum < 36 ? Math.log1p(Math.exp(sum)) : sum) - extra * (1 + extra) * rho;
  }

  const ORDERS = [Math.log(1e-12), Math.log(1e8)];
  const STEPS = 60;
  const FURTHEST = 700; // nats

  /** The least of a bound over all orders. */
  const overOrders = (bound) => least((z) => bound(Math.exp(z)), ...ORDERS, STEPS);

  /** log(power / level) where these add up to a sum, at most, by one order. */
  function byOrder(extra, rho, sum) {
    const found = root((t) => {
      const [x, y] = [sum / (1 + Math.exp(t)), sum / (1 + Math.exp(-t))];
      return beyond(extra, rho, y, 1 - sum + y, 1 - sum + x, t);
    }, 0, FURTHEST);
    return found < FURTHEST ? found : Infinity;
  }

  /** Lines above the power curve (Proposition 21): slope and height at level 0, as logarithms. */
  const line = {
    slope(extra, a, b) {
      const apart = a + b;
      const z = extra * apart;
      if (z > 1) return a + Math.log1p(-Math.expm1(-apart) / Math.expm1(z)) - Math.log1p(1 / extra);
      // a - b halved, and log(sinh((z + apart) / 2) / sinh(z / 2) / (1 + 1 / extra))
      const [half, sinh] = [apart / 2, Math.sinh(apart / 2)];
      const grown = 2 * Math.sinh(half / 2) ** 2 + (2 / z) * sinhExcess(half) + cothExcess(z / 2) * sinh;
      return (a - b) / 2 + Math.log1p((grown * extra) / (1 + extra));
    },
    /** log((1 - e^(-extra apart)) / extra). */
    fall: (extra, apart) => Math.log(-Math.expm1(-extra * apart) / extra),
    /** The same of what the limit holds, with the slack of b. */
    held(extra, rho, b) {
      const size = extra * (1 + extra) * rho;
      const drop = extra * b;
      const slack = drop < 500
        ? (excess(-b) + excess(drop) / extra) * Math.exp(-drop - size)
        : Math.exp(-size) / extra;
      return Math.log(slack - Math.expm1(-size) / extra) - Math.log1p(extra);
    },
    height(extra, rho, a, b) {
      const drop = extra * ((1 + extra) * rho - a);
      return drop + line.held(extra, rho, b) - line.fall(extra, a + b);
    },
    /** The a of the line that has a height. */
    through(extra, rho, b, height) {
      const top = extra * (1 + extra) * rho + line.held(extra, rho, b) + Math.log(extra) - height;
      const drop = extra * b;
      if (top >= 1) return logaddexp(top, -drop) / extra;
      return Math.max(Math.log1p(Math.exp(top) + Math.expm1(-drop)) / extra, 1e-300);
    },
    /** The a of the line that has a slope. */
    along(extra, b, slope) {
      const f = (a) => line.slope(extra, a, b) - slope;
      return root(f, 1e-300, slope + Math.log1p(1 / extra) + 1);
    },
  };

  /** The line of an order that touches where level and power add up to 1. */
  function middle(extra, rho) {
    const a = byOrder(extra, rho, 1);
    return [Math.exp(Math.min(line.height(extra, rho, a, a), 0)), line.slope(extra, a, a)];
  }

  const overLines = (bound) =>
    overOrders((extra) => least((z) => bound(extra, Math.exp(z)), Math.log(1e-9), Math.log(60), 24));

  function concentrated(rho) {
    if (rho === 0) return approximate(0, 0);
    const near = (t) =>
      overOrders((extra) => {
        const [height, slope] = middle(extra, rho);
        const share = slope > t ? -Math.expm1(t - slope) / (1 + Math.exp(-slope)) : 0;
        return height + (1 - height) * share;
      });
    const inTheMiddle = () => Math.tanh(overOrders((extra) => byOrder(extra, rho, 1)) / 2);
    const away = (t) =>
      Math.exp(overLines((extra, b) => line.height(extra, rho, line.along(extra, b, t), b)));
    const nearInverse = (limit) =>
      overOrders((extra) => {
        const [height, slope] = middle(extra, rho);
        if (height > limit) return Infinity;
        const share = ((limit - height) * (1 + Math.exp(-slope))) / (1 - height);
        return Math.max(slope + Math.log1p(-Math.min(share, 1)), 0);
      });
    const farInverse = (limit) =>
      overLines((extra, b) =>
        line.slope(extra, line.through(extra, rho, b, Math.log(limit)), b));
    return {
      loss: (failure) => up(up(overOrders((extra) => byOrder(extra, rho, failure)))),
      // at t = 0 the curve is furthest from the diagonal in the middle, by symmetry
      delta: (t) => Math.min(tail(t === 0 ? inTheMiddle() : Math.min(near(t), away(t))), 1),
      epsilon(limit) {
        if (limit <= 0) return Infinity;
        return wide(Math.max(0, Math.min(nearInverse(limit), farInverse(limit))));
      },
      power(level) {
        if (level <= 0 || level >= 1) return level;
        const direct = overOrders((extra) => root((t) => {
          const y = level * Math.exp(t);
          return beyond(extra, rho, y, 1 - level, 1 - y, t);
        }, 0, -Math.log(level)));
        const mirrored = overOrders((extra) => root((t) => {
          const [x, y] = [(1 - level) * Math.exp(-t), 1 - level];
          return beyond(extra, rho, y, 1 - x, level, t);
        }, 0, FURTHEST));
        return Math.min(wide(level * Math.exp(direct)), wide(1 - (1 - level) * Math.exp(-mirrored)), 1);
      },
      twice: () => concentrated(4 * rho),
      repeated: (count) => concentrated(count * rho),
      certain: false,
    };
  }

  // --- beliefs ----------------------------------------------------------------------------------

  /** Posterior, ratio and difference that a loss allows at a prior, and at the worst prior. */
  function beliefs(loss, prior) {
    const rest = 1 - prior;
    const certain = prior === 0 || rest === 0;
    const stays = certain ? 1 : Math.exp(-loss); // of the odds, at least
    const high = prior + rest * stays;
    const low = prior * stays + rest;
    const apart = certain ? 0 : prior * rest * -Math.expm1(-loss);
    const times = (factor) => prior + (rest && rest * factor); // the limit where the prior is 0
    return {
      posterior: certain ? [prior, prior] : [down((prior * stays) / low), capped(prior / high)],
      difference: [0 - up(apart / low), up(apart / high)],
      ratio: [down(1 / times(Math.exp(loss))), up(1 / times(Math.exp(-loss)))],
      anywhere: up(Math.tanh(loss / 4)),
      worst: 1 / (1 + Math.exp(loss / 2)),
    };
  }

  const KINDS = {
    pure: ({ epsilon }) => approximate(epsilon, 0),
    approximate: ({ epsilon, delta }) => approximate(epsilon, delta),
    concentrated: ({ rho }) => concentrated(rho),
    gaussian: ({ mu }) => gaussian(mu),
  };

  /** What is left of so many in 100, of the decimal that was written: of 99 it is 0.01. */
  function failure(confidence) {
    const places = (String(confidence).split(".")[1] || "").length;
    const whole = 10 ** (places + 2);
    return (whole - Math.round(confidence * 10 ** places)) / whole;
  }

  /** A promise by its definition and parameters. */
  const guarantee = (kind, parameters) => KINDS[kind](parameters);

  return { guarantee, beliefs, failure };
})();

if (typeof module !== "undefined") module.exports = engine;
