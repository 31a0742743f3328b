"""What other libraries solve for, each in its own interpreter: one question a line, as JSON.

The answer is a number and the seconds of the processor that it took.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any


def opacus_noise(epsilon: float, delta: float, rate: float, steps: int) -> float:
    """Opacus: the noise multiplier for a target, by its PRV accountant."""
    asked: Any = import_module("asked")  # beside this file

    asked.opacus([["gaussian", 1.0, 1]], 1e-5, "RDPAccountant")  # imports it without PyTorch
    utils: Any = import_module("opacus.accountants.utils")
    return float(
        utils.get_noise_multiplier(
            target_epsilon=epsilon,
            target_delta=delta,
            sample_rate=rate,
            steps=steps,
            accountant="prv",
        )
    )


def opake_noise(epsilon: float, delta: float, rate: float, steps: int) -> float:
    """opake-accounting: its bisection for an epsilon."""
    acc: Any = import_module("opake.accounting")
    found = acc.calibrate(
        acc.epsilon_budget(epsilon, delta), _run(rate, steps), 0.5, 20.0, tolerance=1e-4
    )
    return float(found.param)


def opake_noise_advantage(advantage: float, rate: float, steps: int) -> float:
    """opake-accounting: its bisection for an advantage."""
    acc: Any = import_module("opake.accounting")
    found = acc.calibrate(
        acc.advantage_budget(advantage), _run(rate, steps), 0.5, 20.0, tolerance=1e-4
    )
    return float(found.param)


def _run(rate: float, steps: int) -> Callable[[float], Any]:
    """So many Poisson samples, by its compiled part; what wraps it needs PyTorch."""
    core: Any = import_module("opake.api.accounting.core.opake_accounting")
    grid = core.DiscretizationConfig()
    return lambda sigma: core.poisson_pld(core.gaussian_pld(sigma, grid), rate).self_compose(steps)


def opake_allocation(sigma: float, steps: int, delta: float) -> float:
    """opake-accounting: one of so many steps."""
    asked: Any = import_module("asked")

    asked.opake([["gaussian", 1.0, 1]], 1e-5)  # imports its compiled part
    core: Any = sys.modules["opake_accounting"]
    found = core.random_allocation_gaussian_pld(sigma, steps, 1, core.DiscretizationConfig())
    return float(found.epsilon_at(delta))


def own_allocation(sigma: float, steps: int, delta: float) -> float:
    """PLD_accounting: its upper end, at its default accuracy of 4 percent."""
    api: Any = import_module("PLD_accounting")
    ends = api.gaussian_allocation_epsilon_range(delta=delta, sigma=sigma, num_steps=steps)
    return float(max(ends))


SOLVED: dict[str, Callable[..., float]] = {
    "Opacus, noise": opacus_noise,
    "opake-accounting, noise": opake_noise,
    "opake-accounting, noise for an advantage": opake_noise_advantage,
    "opake-accounting, allocation": opake_allocation,
    "PLD_accounting, allocation": own_allocation,
}

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        name, words = json.loads(line)
        started = time.process_time()
        answer = SOLVED[name](*words)
        print(json.dumps([answer, time.process_time() - started]), flush=True)
