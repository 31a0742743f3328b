"""One inverter: it returns the end of the bracket that keeps the promise."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from dprisk._numeric.logspace import Floats
from dprisk.errors import NotConverged
from dprisk.text import fill

BISECTIONS = 240  # from the smallest float to infinity
FINE = (1e-6, 1e6)  # steps between these are doubled: most answers are of their size

Bools = npt.NDArray[np.bool_]


def keep(
    value: Floats,
    holds: Callable[[Floats], Bools],
    upward: bool = True,
    step: Floats | float = 0.0,
) -> Floats:
    """Move `value` by the few units in the last place that rounding took, until `holds` says so."""
    value = np.array(value, dtype=float)
    size = np.where(np.isfinite(value), np.abs(value), 1.0)
    step = np.maximum(np.spacing(np.maximum(size, np.finfo(float).tiny)), step)
    sign = 1.0 if upward else -1.0
    for turn in range(BISECTIONS):
        broken = ~holds(value) & np.isfinite(value)
        if not broken.any():
            return value
        value = np.where(broken, value + sign * step, value)
        with np.errstate(over="ignore"):  # none is enough: it goes to infinity
            fast = (turn >= 40) & ((step < FINE[0]) | (step > FINE[1]))
            step = np.where(broken, np.where(fast, 2.0**16, 2.0) * step, step)
    worst = float(value[np.argmax(broken)])
    raise NotConverged(fill("errors.search.safe-side"), (worst - float(step.max()), worst))


def solve_decreasing(
    excess: Callable[..., Floats], low: Floats, high: Floats, *arguments: Floats
) -> Floats:
    """Smallest x in [low, high] with ``excess(x, *arguments) <= 0``, from the safe side."""
    from scipy.optimize import elementwise

    low, high, *arguments = np.broadcast_arrays(low, high, *arguments)  # type: ignore[assignment]
    done = excess(low, *arguments) <= 0
    answer = np.where(done, low, high).astype(float)
    todo = ~done & (excess(high, *arguments) < 0)
    if todo.any():
        # 4 ulps between the ends: no rounding is bounded, both ends were tried
        found = elementwise.find_root(
            excess,
            (low[todo], high[todo]),
            args=tuple(a[todo] for a in arguments),
            tolerances={"xatol": 0.0, "xrtol": 4 * np.finfo(float).eps, "fatol": 0.0, "frtol": 0.0},
            maxiter=500,
        )
        left, right = found.bracket
        if not np.all(found.success):
            bad = int(np.argmin(found.success))
            raise NotConverged(fill("errors.search.root"), (float(left[bad]), float(right[bad])))
        answer[todo] = np.where(found.f_bracket[0] <= 0, left, right)
    return answer
