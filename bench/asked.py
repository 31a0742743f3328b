"""What accountants are asked, each by its own interpreter: one case a line, as JSON.

A case is a list of parts, each a kind, its parameters and a count, and a delta; or an epsilon and
the word "delta". The answer is what the library offers as an upper bound of the other one, or the
reason why there is none.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import signal
import sys
import types
import warnings
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from math import exp, sqrt
from pathlib import Path
from typing import Any

Parts = list[list[Any]]
SECONDS = 20
SAMPLED = {"gaussian", "sampled"}
PURE = {"laplace", "response", "geometric"}
KIND_OF = {"response": "bool", "geometric": "integer", "integers": "integer"}


class Refused(Exception):
    """The library has no such mechanism."""


def runs(parts: Parts) -> list[tuple[float, float, int]]:
    """Noise multiplier, rate and steps, for those that know nothing else."""
    if not {part[0] for part in parts} <= SAMPLED:
        raise Refused("Gaussian noise only")
    return [(p[1], p[2] if p[0] == "sampled" else 1.0, int(p[-1])) for p in parts]


def google_loss(parts: Parts) -> Any:
    """Compose the loss distributions of dp_accounting; the last ones are kept."""
    return _google_loss(json.dumps(parts))


@lru_cache(2)
def _google_loss(text: str) -> Any:
    from dp_accounting.pld import common
    from dp_accounting.pld import privacy_loss_distribution as pld

    make: dict[str, Callable[..., Any]] = {
        "gaussian": pld.from_gaussian_mechanism,
        "laplace": pld.from_laplace_mechanism,
        "response": lambda e: pld.from_randomized_response(2.0 / (1.0 + exp(e)), 2),
        "pure": lambda e: pld.from_privacy_parameters(common.DifferentialPrivacyParameters(e, 0.0)),
        "promise": lambda *both: pld.from_privacy_parameters(
            common.DifferentialPrivacyParameters(*both)
        ),
        "geometric": lambda b, by: pld.from_discrete_laplace_mechanism(1.0 / b, int(by)),
        "integers": lambda s, by: pld.from_discrete_gaussian_mechanism(s, int(by)),
        "sampled": lambda s, q: pld.from_gaussian_mechanism(s, sampling_prob=q),
        "sampled laplace": lambda b, q: pld.from_laplace_mechanism(b, sampling_prob=q),
        "capped": lambda s, q, cap, records: pld.from_truncated_subsampled_gaussian_mechanism(
            records, q, cap, s
        ),
    }
    whole: Any = None
    for kind, *parameters, count in json.loads(text):
        if kind not in make:
            raise Refused("no loss distribution for it")
        one = make[kind](*parameters).self_compose(int(count))
        whole = one if whole is None else whole.compose(one)
    return whole


def google_pld(parts: Parts, delta: float) -> float:
    """dp_accounting: loss distributions on the default grid."""
    return float(google_loss(parts).get_epsilon_for_delta(delta))


def google_orders(parts: Parts) -> Any:
    """dp_accounting: Renyi divergences at the default orders."""
    import dp_accounting as dp
    from dp_accounting.rdp import RdpAccountant

    make: dict[str, Callable[..., Any]] = {
        "gaussian": dp.GaussianDpEvent,
        "laplace": dp.LaplaceDpEvent,
        "response": lambda e: dp.RandomizedResponseDpEvent(2.0 / (1.0 + exp(e)), 2),
        "zcdp": dp.ZCDpEvent,
        "sampled": lambda s, q: dp.PoissonSampledDpEvent(q, dp.GaussianDpEvent(s)),
    }
    replaced = all(part[0] == "response" for part in parts)
    relation = dp.NeighboringRelation
    accountant = RdpAccountant(
        neighboring_relation=relation.REPLACE_ONE if replaced else relation.ADD_OR_REMOVE_ONE
    )
    for kind, *parameters, count in parts:
        if kind not in make:
            raise Refused("no event for it")
        accountant.compose(make[kind](*parameters), int(count))
    return accountant


def google_rdp_delta(parts: Parts, epsilon: float) -> float:
    """dp_accounting: the same for delta, also under a limit at one order."""
    if [part[0] for part in parts] != ["renyi"]:
        return float(google_orders(parts).get_delta(epsilon))
    from dp_accounting.rdp.rdp_privacy_accountant import compute_delta

    _, order, limit, count = parts[0]
    return float(compute_delta([order], [limit * count], epsilon)[0])


def opacus(parts: Parts, delta: float, kind: str) -> float:
    """Opacus: its accountants alone, without PyTorch, which they do not call."""
    history = runs(parts)
    if "opacus" not in sys.modules:
        found = importlib.util.find_spec("opacus")
        if found is None or found.origin is None:
            raise ModuleNotFoundError("opacus")
        package: Any = types.ModuleType("opacus")
        package.__path__ = [str(Path(found.origin).parent)]
        optimizers: Any = types.ModuleType("opacus.optimizers")
        optimizers.DPOptimizer = object
        sys.modules.update({"opacus": package, "opacus.optimizers": optimizers})
    accountant = getattr(import_module("opacus.accountants"), kind)()
    accountant.history = history
    return float(accountant.get_epsilon(delta))


def microsoft(parts: Parts, error: float) -> Any:
    """prv_accountant: its lower end, estimate and upper end are what it says."""
    prv: Any = import_module("prv_accountant")
    make: dict[str, Callable[..., Any]] = {
        "gaussian": lambda s: prv.GaussianMechanism(noise_multiplier=s),
        "laplace": lambda b: prv.LaplaceMechanism(mu=1.0 / b),
        "response": prv.PureDPMechanism,
        "pure": prv.PureDPMechanism,
        "sampled": lambda s, q: prv.PoissonSubsampledGaussianMechanism(
            noise_multiplier=s, sampling_probability=q
        ),
    }
    if any(part[0] not in make for part in parts):
        raise Refused("no privacy random variable for it")
    counts = [int(part[-1]) for part in parts]
    accountant = prv.PRVAccountant(
        prvs=[make[part[0]](*part[1:-1]) for part in parts],
        max_self_compositions=counts,
        eps_error=0.01,
        delta_error=error,
    )
    return accountant, counts


def microsoft_epsilon(parts: Parts, delta: float) -> float:
    """prv_accountant: the upper end of epsilon."""
    accountant, counts = microsoft(parts, delta / 1000.0)
    return float(accountant.compute_epsilon(delta, counts)[2])


def microsoft_delta(parts: Parts, epsilon: float) -> float:
    """prv_accountant: the upper end of delta, which no error above 1e-10 was allowed."""
    accountant, counts = microsoft(parts, 1e-10)
    return float(accountant.compute_delta(epsilon, counts)[2])


def autodp(parts: Parts) -> Any:
    """autodp: its composition by Renyi divergences."""
    zoo: Any = import_module("autodp.mechanism_zoo")
    moves: Any = import_module("autodp.transformer_zoo")
    core: Any = import_module("autodp.autodp_core")

    def concentrated(rho: float) -> Any:
        made = core.Mechanism()
        made.propagate_updates(lambda order: rho * order, "RDP")
        return made

    amplify = moves.AmplificationBySampling(PoissonSampling=True)
    make: dict[str, Callable[..., Any]] = {
        "gaussian": zoo.GaussianMechanism,
        "laplace": zoo.LaplaceMechanism,
        "response": lambda e: zoo.RandresponseMechanism(1.0 / (1.0 + exp(-e))),
        "pure": zoo.PureDP_Mechanism,
        "zcdp": concentrated,
        "sampled": lambda s, q: amplify(zoo.GaussianMechanism(s), q),
        "sampled laplace": lambda b, q: amplify(zoo.LaplaceMechanism(b), q),
    }
    if any(part[0] not in make for part in parts):
        raise Refused("no mechanism for it")
    made = [make[part[0]](*part[1:-1]) for part in parts]
    return moves.Composition()(made, [int(part[-1]) for part in parts])


def opake(parts: Parts) -> Any:
    """opake-accounting: its compiled part, since the package around it needs Python 3.13."""
    if "opake_accounting" not in sys.modules:
        binary = next(p for each in sys.path for p in Path(each).glob("opake/**/opake_acc*.so"))
        found = importlib.util.spec_from_file_location("opake_accounting", binary)
        if found is None or found.loader is None:
            raise ModuleNotFoundError("opake_accounting")
        module = importlib.util.module_from_spec(found)
        found.loader.exec_module(module)
        sys.modules["opake_accounting"] = module
    core: Any = sys.modules["opake_accounting"]
    grid = core.DiscretizationConfig()
    make: dict[str, Callable[..., Any]] = {
        "gaussian": lambda s: core.gaussian_pld(s, grid),
        "pure": lambda e: core.eps_delta_pld(e, 0.0, grid),
        "promise": lambda *both: core.eps_delta_pld(*both, grid),
        "sampled": lambda s, q: core.poisson_pld(core.gaussian_pld(s, grid), q),
        "capped": lambda s, q, most, n: core.truncated_poisson_gaussian_pld(s, q, most, n, grid),
        "allocation": lambda s, steps: core.random_allocation_gaussian_pld(s, steps, 1, grid),
    }
    whole: Any = None
    for kind, *parameters, count in parts:
        if kind not in make:
            raise Refused("no loss distribution for it")
        one = make[kind](*parameters).self_compose(int(count))
        whole = one if whole is None else whole.compose(one)
    return whole


def riskcal(parts: Parts) -> Any:
    """riskcal: its accountant of training runs."""
    accountant = import_module("riskcal.accountants").CTDAccountant()
    accountant.history = runs(parts)
    return accountant


def opendp(parts: Parts, *, pure: bool) -> Any:
    """OpenDP: pure DP where all parts have it, else zCDP, converted."""
    dp: Any = import_module("opendp.prelude")
    dp.enable_features("contrib")
    whole = {part[0] for part in parts} <= {"geometric", "integers"}
    of = int if whole else float
    domain = dp.atom_domain(T=int) if whole else dp.atom_domain(T=float, nan=False)
    space = domain, dp.absolute_distance(T=of)
    if len({KIND_OF.get(part[0], "number") for part in parts}) > 1:
        raise Refused("inputs of two types in one composition")
    if len(apart := {part[2] if whole else 1 for part in parts}) > 1:
        raise Refused("two sensitivities in one composition")
    make: dict[str, Callable[..., Any]] = {
        "gaussian": lambda s: dp.m.make_gaussian(*space, scale=s),
        "laplace": lambda b: dp.m.make_laplace(*space, scale=b),
        "geometric": lambda b, _: dp.m.make_laplace(*space, scale=b),
        "integers": lambda s, _: dp.m.make_gaussian(*space, scale=s),
        "response": lambda e: dp.m.make_randomized_response_bool(1.0 / (1.0 + exp(-e))),
        "zcdp": lambda rho: dp.m.make_gaussian(*space, scale=1.0 / sqrt(2.0 * rho)),
    }
    if any(part[0] not in make for part in parts):
        raise Refused("no such measurement")
    if sum(part[-1] for part in parts) > 1000:
        raise Refused("not asked: over 1,000 measurements in one composition")
    made = []
    for kind, *parameters, count in parts:
        one = make[kind](*parameters)
        if not pure and kind in PURE:
            one = dp.c.make_pureDP_to_zCDP(one)
        made += [one] * int(count)
    every = dp.c.make_composition(made)
    by = 1 if parts[0][0] == "response" else of(*apart)
    return every.map(by) if pure else dp.c.make_zCDP_to_approxDP(every).map(by)


def opendp_epsilon(parts: Parts, delta: float) -> float:
    """OpenDP: epsilon at delta."""
    pure = {part[0] for part in parts} <= PURE
    found = opendp(parts, pure=pure)
    return float(found if pure else found.epsilon(delta))


def allocation(parts: Parts) -> Any:
    """PLD_accounting: random allocation, or its subsampling of a loss of dp_accounting."""
    theirs: Any = import_module("PLD_accounting")
    subsample = theirs.subsample_pld
    if [part[0] for part in parts] == ["allocation"]:
        _, sigma, steps, count = parts[0]
        asked = theirs.PrivacyParams(sigma=sigma, num_steps=steps, num_epochs=count)
        return theirs.gaussian_allocation_pld(params=asked, config=theirs.AllocationSchemeConfig())
    whole: Any = None
    for sigma, rate, count in runs(parts):
        base = google_loss([["gaussian", sigma, 1]])
        one = subsample(pld=base, sampling_probability=rate).self_compose(count)
        whole = one if whole is None else whole.compose(one)
    return whole


ASKED: dict[str, Callable[[Parts, float], float]] = {
    "dp_accounting PLD": google_pld,
    "dp_accounting RDP": lambda parts, delta: google_orders(parts).get_epsilon(delta),
    "Opacus PRV": lambda parts, delta: opacus(parts, delta, "PRVAccountant"),
    "Opacus RDP": lambda parts, delta: opacus(parts, delta, "RDPAccountant"),
    "prv_accountant": microsoft_epsilon,
    "autodp": lambda parts, delta: autodp(parts).get_approxDP(delta),
    "opake-accounting": lambda parts, delta: opake(parts).epsilon_at(delta),
    "riskcal": lambda parts, delta: riskcal(parts).get_epsilon(delta=delta),
    "OpenDP": opendp_epsilon,
    "PLD_accounting": lambda parts, delta: allocation(parts).get_epsilon_for_delta(delta),
}
DELTAS: dict[str, Callable[[Parts, float], float]] = {
    "dp_accounting PLD": lambda parts, e: google_loss(parts).get_delta_for_epsilon(e),
    "dp_accounting RDP": google_rdp_delta,
    "prv_accountant": microsoft_delta,
    "autodp": lambda parts, e: autodp(parts).get_approx_delta(e),
    "opake-accounting": lambda parts, e: opake(parts).delta_at(e),
    "riskcal": lambda parts, e: riskcal(parts).get_pld().get_delta_for_epsilon(e),
    "OpenDP": lambda parts, e: opendp(parts, pure=False).delta(e),
    "PLD_accounting": lambda parts, e: allocation(parts).get_delta_for_epsilon(e),
}


def too_long(*_: object) -> None:
    """Stop what takes longer than a case may."""
    raise Refused(f"longer than {SECONDS} s")


def answered(name: str, parts: Parts, given: float, what: str = "epsilon") -> dict[str, Any]:
    """Ask one library; whatever it raises is its answer."""
    ways = ASKED if what == "epsilon" else DELTAS
    if name not in ways:
        return {"reason": f"no {what}"}
    signal.signal(signal.SIGALRM, too_long)
    signal.alarm(SECONDS)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            return {what: float(ways[name](parts, given))}
    except Refused as error:
        return {"reason": str(error)}
    except Exception as error:
        return {"reason": f"{type(error).__name__}: {error}"[:120]}
    finally:
        signal.alarm(0)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        print(json.dumps(answered(sys.argv[1], *json.loads(line))), flush=True)
