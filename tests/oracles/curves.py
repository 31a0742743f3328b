"""What single promises say, in hundreds of digits: nothing here is taken from the package."""

from __future__ import annotations

from mpmath import mp, mpf

ONE, ZERO = mpf(1), mpf(0)
STEPS = 200


def approximate(epsilon, delta):
    """Answers under an (epsilon, delta) promise, from T = min(1, e^e x + d, its mirror image)."""
    e, d = mpf(epsilon), mpf(delta)
    growth = mp.exp(e)
    corner = (1 - d) / (1 + growth)

    def power(x):
        return min(ONE, growth * x + d, 1 - (1 - d - x) / growth)

    def level(y):
        return max(ZERO, (y - d) / growth, 1 - d - growth * (1 - y))

    def profile(t):
        return d if t >= e else (1 - corner) - mp.exp(t) * corner

    def inverse(q):
        if q < d:
            return mp.inf
        least = e if q == d else mp.log((1 - corner - q) / corner) if q < 1 - corner else ZERO
        return max(ZERO, min(e, least))

    def tail_one(t):
        if d == 0 and t >= e:
            return ZERO
        heights = [ONE]
        if t > e:
            heights.append(d / (1 - mp.exp(e - t)))
        if t > -e:
            heights.append((1 - (1 - d) / growth) / (1 - mp.exp(-e - t)))
        return min(heights)

    def loss_one(m):
        if m <= d:
            return e if d == 0 else mp.inf
        # on either side: log(m / x) without losing x to 1
        along = e if d == 0 else e - mp.log(1 - d / m)
        left = 1 - d - growth * (1 - m)
        return min(along, mp.log(m / left)) if left > 0 else along

    def loss_both(m):
        if d == 0:
            return e
        return mp.inf if m <= d else mp.log((m * growth + d) / (m - d))

    return _named(power, level, profile, inverse, tail_one, loss_one, loss_both)


def normal(mu):
    """Answers under Gaussian DP."""
    mu = mpf(mu)

    def ratio(x):
        return mp.log(upper(x - mu) / upper(x))

    def power(x):
        return x if x in (0, 1) else upper(quantile(x) - mu)

    def level(y):
        return y if y in (0, 1) else upper(quantile(y) + mu)

    def profile(t):
        if mp.isinf(t):
            return ZERO
        x = t / mu - mu / 2
        return upper(x) - mp.exp(t) * upper(x + mu)

    def tail_one(t):
        if t == 0 or mp.isinf(t):
            return ONE if t == 0 else ZERO
        x = t / mu + mu / 2
        return upper(_root(lambda x: t - ratio(x), -90 - x, 90 + x) - mu)

    def loss_one(m):
        return mp.inf if m == 0 else ZERO if m == 1 else ratio(quantile(m) + mu)

    def loss_both(m):
        if m == 0:
            return mp.inf
        return ratio(_root(lambda x: upper(x) + upper(x - mu) - m, mu / 2, mu + 90))

    return _named(power, level, profile, None, tail_one, loss_one, loss_both)


def bounded(epsilon, delta):
    """Answers under one point of pbdp, 0 < delta < 1, from both lines and their mirror images."""
    e, d = mpf(epsilon), mpf(delta)
    b = d * (1 - mp.exp(-e)) / (1 - d * mp.exp(-e))

    def power(x):
        ahead = max(b + (1 - b) * x, mp.exp(e) * x)
        return min(ONE, ahead, max(x / (1 - b), 1 - mp.exp(-e) * (1 - x)))

    def level(y):
        ahead = min((y - b) / (1 - b), y * mp.exp(-e)) if y < d else y * mp.exp(-e)
        return max(ZERO, ahead, min((1 - b) * y, 1 - mp.exp(e) * (1 - y)))

    def profile(t):
        return max(b, approximate(e, 0)["profile"](t)) if d * (1 + mp.exp(-e)) < 1 else b

    return {"power": power, "level": level, "profile": profile}


def upper(x):
    """Probability that a standard normal exceeds x."""
    return mp.erfc(x / mp.sqrt(2)) / 2


def quantile(p):
    """The point that is exceeded with probability p in (0, 1)."""
    reach = mp.sqrt(-2 * mp.log(min(p, 1 - p))) + 1
    return _root(lambda x: mp.log(upper(x)) - mp.log(p), -reach, reach)


def _root(falling, low, high):
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return (low + high) / 2


def _named(power, level, profile, inverse, tail_one, loss_one, loss_both):
    def tail_both(t):
        return min(ONE, tail_one(t) * (1 + mp.exp(-t)))

    return {
        "power": power,
        "level": level,
        "profile": profile,
        "epsilon": inverse,
        "tail_one": tail_one,
        "tail_both": tail_both,
        "loss_one": loss_one,
        "loss_both": loss_both,
    }
