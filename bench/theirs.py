"""What other libraries are asked, run by their own interpreter: one question a line, as JSON.

Only numpy and the libraries themselves are imported here, inside the functions. The first argument
of a function that is timed moves a parameter by about 1e-9 from turn to turn, so that nothing can
be remembered from an earlier one.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import sys
import warnings
from collections.abc import Callable
from importlib import import_module
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

MOVED = 1e-9  # relative, from one turn to the next
SHORT = 0.05  # seconds: what takes less is timed until it has taken as much
MOST = 900  # times

Answer = list[float]

# --- dp_accounting ----------------------------------------------------------------------------


def google_many(
    turn: int, name: str, parameter: float, count: int, delta: float, interval: float
) -> Answer:
    """epsilon of one mechanism many times: the pessimistic estimate, a default grid."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    moved = parameter * (1.0 + turn * MOVED)
    make: dict[str, Callable[[], Any]] = {
        "laplace": lambda: pld.from_laplace_mechanism(
            moved, value_discretization_interval=interval
        ),
        "gaussian": lambda: pld.from_gaussian_mechanism(
            moved, value_discretization_interval=interval
        ),
        "discrete Gaussian": lambda: pld.from_discrete_gaussian_mechanism(
            moved, value_discretization_interval=interval, use_connect_dots=True
        ),
        "randomized response": lambda: pld.from_randomized_response(
            2.0 / (1.0 + np.exp(moved)), 2, value_discretization_interval=interval
        ),
    }
    return [make[name]().self_compose(count).get_epsilon_for_delta(delta)]


def google_sampled(turn: int, sigma: float, rate: float, count: int, delta: float) -> Answer:
    """epsilon of a subsampled Gaussian many times: the pessimistic estimate, a default grid."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    one = pld.from_gaussian_mechanism(sigma * (1.0 + turn * MOVED), sampling_prob=rate)
    return [one.self_compose(count).get_epsilon_for_delta(delta)]


def google_both_sides(
    turn: int, name: str, parameter: float, count: int, delta: float, interval: float
) -> Answer:
    """epsilon by the optimistic and by the pessimistic estimate."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    moved = parameter * (1.0 + turn * MOVED)
    make = {"laplace": pld.from_laplace_mechanism, "gaussian": pld.from_gaussian_mechanism}[name]
    ends = []
    for pessimistic in (False, True):
        one = make(moved, pessimistic_estimate=pessimistic, value_discretization_interval=interval)
        ends.append(one.self_compose(count).get_epsilon_for_delta(delta))
    return ends


def google_pair(
    turn: int, p: list[float], q: list[float], count: int, delta: float, interval: float
) -> Answer:
    """epsilon of two lists of probabilities, by both estimates."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    upper, lower = (dict(enumerate(np.log(each).tolist())) for each in (p, q))
    upper[0] += turn * MOVED
    ends = []
    for pessimistic in (False, True):
        one = pld.from_two_probability_mass_functions(
            lower,
            upper,
            pessimistic_estimate=pessimistic,
            value_discretization_interval=interval,
            symmetric=False,
        )
        ends.append(one.self_compose(count).get_epsilon_for_delta(delta))
    return ends


def google_optimal(
    turn: int, epsilon: float, count: int, delta: float, interval: float | None
) -> Answer:
    """Worst case of pure DP promises; without an interval, on the grid of their own lattice."""
    from dp_accounting.pld import common
    from dp_accounting.pld import privacy_loss_distribution as pld

    moved = epsilon * (1.0 + turn * MOVED)
    promise = common.DifferentialPrivacyParameters(moved, 0.0)
    one = pld.from_privacy_parameters(promise, value_discretization_interval=interval or moved)
    whole = one.self_compose(count)
    return [whole.get_epsilon_for_delta(delta)]


def google_integers(turn: int, sigmas: list[float], interval: float) -> Any:
    """Many discrete Gaussians of different width, two cells each."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    whole: Any = None
    for sigma in sigmas:
        one = pld.from_discrete_gaussian_mechanism(
            sigma * (1.0 + turn * MOVED),
            value_discretization_interval=interval,
            use_connect_dots=True,
        ).self_compose(2)
        whole = one if whole is None else whole.compose(one)
    return whole


def google_census(
    turn: int, sigmas: list[float], epsilons: list[float], levels: list[float], interval: float
) -> Answer:
    """delta at the epsilons, power at the levels (by riskcal)."""
    whole = google_integers(turn, sigmas, interval)
    delta = whole.get_delta_for_epsilon(np.array(epsilons))
    return [*map(float, delta), *_power(whole, levels)]


def google_census_points(
    turn: int, sigmas: list[float], epsilons: list[float], levels: list[float], interval: float
) -> Answer:
    """The same from lists of probabilities."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    whole: Any = None
    for sigma in sigmas:
        reach = int(np.ceil(12.0 * sigma)) + 1
        k = np.arange(-reach, reach + 1.0)
        width = 2.0 * (sigma * (1.0 + turn * MOVED)) ** 2
        p, q = (-((k - by) ** 2) / width for by in (1.0, 0.0))
        upper, lower = (
            dict(enumerate((each - np.log(np.exp(each).sum())).tolist())) for each in (p, q)
        )
        one = pld.from_two_probability_mass_functions(
            lower, upper, value_discretization_interval=interval
        ).self_compose(2)
        whole = one if whole is None else whole.compose(one)
    delta = whole.get_delta_for_epsilon(np.array(epsilons))
    return [*map(float, delta), *_power(whole, levels)]


def riskcal_levels(turn: int, levels: list[float]) -> Answer:
    """Power at the levels of the loss that `prepare_levels` left."""
    moved = (np.array(levels) * (1.0 + turn * MOVED)).tolist()
    return _power(PREPARED["levels"], moved)


def prepare_levels(turn: int, sigmas: list[float], interval: float) -> Answer:
    """Compose, and keep the result for `riskcal_levels`."""
    PREPARED["levels"] = google_integers(turn, sigmas, interval)
    return []


def riskcal_zcdp(turn: int, rho: float, levels: list[float]) -> Answer:
    """Power at the levels under zCDP."""
    from riskcal.analysis import get_beta_from_zcdp

    beta = get_beta_from_zcdp(rho * (1.0 + turn * MOVED), np.array(levels))
    return list((1.0 - np.asarray(beta)).tolist())


def riskcal_renyi(turn: int, order: float, limit: float, levels: list[float]) -> Answer:
    """Power at the levels under a limit at one order."""
    from riskcal.analysis import get_beta_from_rdp

    beta = get_beta_from_rdp(limit * (1.0 + turn * MOVED), np.array(levels), order)
    return list((1.0 - np.asarray(beta)).tolist())


def _power(whole: Any, levels: list[float]) -> Answer:
    from riskcal.analysis import get_beta_from_pld

    return list((1.0 - np.asarray(get_beta_from_pld(whole, alpha=np.array(levels)))).tolist())


# --- others -----------------------------------------------------------------------------------


def microsoft_many(
    turn: int, name: str, parameter: float, count: int, delta: float, error: float
) -> Answer:
    """prv_accountant: lower end, estimate, upper end of epsilon."""
    prv: Any = import_module("prv_accountant")
    moved = parameter * (1.0 + turn * MOVED)
    make = {
        "laplace": lambda: prv.LaplaceMechanism(mu=1.0 / moved),
        "gaussian": lambda: prv.GaussianMechanism(noise_multiplier=moved),
        "randomized response": lambda: prv.PureDPMechanism(moved),
    }
    accountant = prv.PRVAccountant(
        prvs=[make[name]()],
        max_self_compositions=[count],
        eps_error=error,
        delta_error=delta / 1000.0,
    )
    return [float(end) for end in accountant.compute_epsilon(delta, [count])]


def autodp_many(turn: int, name: str, parameter: float, count: int, delta: float) -> Answer:
    """autodp: the characteristic-function accountant."""
    mechanism_zoo: Any = import_module("autodp.mechanism_zoo")
    transformer_zoo: Any = import_module("autodp.transformer_zoo")
    moved = parameter * (1.0 + turn * MOVED)
    if name == "laplace":
        one = mechanism_zoo.LaplaceMechanism(b=moved, phi_off=False)
    else:
        one = mechanism_zoo.GaussianMechanism(sigma=moved, phi_off=False)
    whole = transformer_zoo.ComposeAFA()([one], [count])
    return [float(whole.approxDP(delta))]


def gdpnum_many(turn: int, name: str, parameter: float, count: int, delta: float) -> Answer:
    """gdpnum: mu of the composed loss, read as epsilon."""
    from dp_accounting import get_epsilon_gaussian
    from dp_accounting.pld import privacy_loss_distribution as pld

    converter: Any = import_module("gdpnum").PLDConverter
    moved = parameter * (1.0 + turn * MOVED)
    make = {"laplace": pld.from_laplace_mechanism, "gaussian": pld.from_gaussian_mechanism}[name]
    mu, _ = converter(make(moved).self_compose(count)).get_mu_and_regret()
    return [float(get_epsilon_gaussian(1.0 / mu, delta))]


def riskcal_scale(turn: int, power: float, level: float, count: int, generic: bool) -> Answer:
    """Noise of a Gaussian mechanism at which a test at a level has a power."""
    from riskcal import calibration

    beta = 1.0 - power * (1.0 + turn * MOVED)
    if not generic:
        found = calibration.find_noise_multiplier_for_err_rates_dpsgd(level, beta, 1.0, count)
        return [float(found)]
    from riskcal.accountants.ctd import CTDAccountant

    made = calibration.find_noise_multiplier_for_err_rates_blackbox(
        CTDAccountant, level, beta, 1.0, count
    )
    return [float(getattr(made, "parameter_value", None) or made.noise_multiplier)]


# --- OpenDP ------------------------------------------------------------------------------------


def opendp_odometer(turn: int, releases: int) -> Answer:
    """Rho of Gaussian releases, 200 different ones; seconds of all, and of one question."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    odometer = dp.c.make_fully_adaptive_composition(*space, dp.zero_concentrated_divergence())(0.0)
    begin = perf_counter()
    for i in range(releases):
        odometer(dp.m.make_gaussian(*space, scale=(100.0 + i % 200) * (1.0 + turn * MOVED)))
    done = perf_counter()
    loss = odometer.privacy_loss(1.0)
    return [loss, done - begin, perf_counter() - done]


PREPARED: dict[str, Any] = {}


# --- one line in, one line out ----------------------------------------------------------------


def answered(asked: dict[str, Any]) -> dict[str, Any]:
    """Time one call; what takes little is called again and again, with a parameter moved."""
    if asked["name"] == "has":
        return {"value": importlib.util.find_spec(asked["module"]) is not None}
    call, spent, value = globals()[asked["name"]], [], None
    for again in range(MOST):
        begin = perf_counter()
        found = call(asked["turn"] + again / 1000.0, *asked["arguments"])
        spent.append(perf_counter() - begin)
        value = found if value is None else value
        if sum(spent) > SHORT:
            break
    return {"seconds": median(spent), "value": value}


def main() -> None:
    """Until nothing more is asked."""
    warnings.simplefilter("ignore")
    out = sys.stdout
    for line in sys.stdin:
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                answer = answered(json.loads(line))
        except Exception as error:  # whatever a library raises is its answer
            answer = {"error": f"{type(error).__name__}: {error}"[:200]}
        print(json.dumps(answer), file=out, flush=True)


if __name__ == "__main__":
    main()
