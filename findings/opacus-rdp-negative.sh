#!/usr/bin/env bash
# Opacus 1.6.0: the epsilon of a short, faint training can be negative by its Rényi accountant.
#
# `RDPAccountant.get_epsilon` takes the least over its orders of a conversion that is not cut off at
# 0. One step at rate 0.01 with a noise multiplier of 10, asked at delta 0.0078, costs an epsilon of
# -0.0045; ten steps at rate 0.001 with 5, at 0.01, cost -0.0085. An epsilon is a bound on a ratio in
# both directions, so readers expect 0 or more: what subtracts it from a budget adds to the budget,
# and what takes e to its power tells of a ratio below 1. The PRV accountant of the same release
# answers 0 or more. No warning speaks of it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-deps opacus==1.6.0 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" - <<'PYTHON'
import sys
import types
import warnings
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

# the accountants alone: they do not call PyTorch, which the rest of the package imports
package = types.ModuleType("opacus")
package.__path__ = [str(Path(find_spec("opacus").origin).parent)]
optimizers = types.ModuleType("opacus.optimizers")
optimizers.DPOptimizer = object
sys.modules.update({"opacus": package, "opacus.optimizers": optimizers})
accountants = import_module("opacus.accountants")


def epsilon(accountant, noise, rate, steps, delta):
    made = accountant()
    made.history = [(noise, rate, steps)]
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = made.get_epsilon(delta)
    assert not any("negative" in str(each.message).lower() for each in told)
    return found


print(f"Opacus {version('opacus')}")
for run in ((10.0, 0.01, 1, 0.0078), (20.0, 0.001, 1, 0.01), (5.0, 0.001, 10, 0.01)):
    by_orders = epsilon(accountants.RDPAccountant, *run)
    print(f"noise {run[0]:g}, rate {run[1]:g}, {run[2]} step(s), delta {run[3]:g}: {by_orders:.4f}")
    assert -0.01 < by_orders < -0.004, by_orders
usual = epsilon(accountants.RDPAccountant, 1.1, 0.01, 1000, 1e-5)
print(f"noise 1.1, rate 0.01, 1000 steps, delta 1e-05: {usual:.4f}")
assert 1.0 < usual < 3.0, usual
other = epsilon(accountants.PRVAccountant, 10.0, 0.01, 1, 0.0078)
print(f"the first one by the PRV accountant: {other:.4f}")
assert other >= 0.0, other
assert version("opacus") == "1.6.0"
PYTHON
echo "as described"
