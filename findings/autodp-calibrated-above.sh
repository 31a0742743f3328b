#!/usr/bin/env bash
# autodp 0.2.3.1: a calibrated mechanism may cost more than what it was calibrated to.
#
# `eps_delta_calibrator` minimizes the distance between a mechanism's epsilon and the target, on
# either side, and takes what is within 1e-3. For targets 0.5, 1, 2 and 3 at delta 1e-6 the exact
# Gaussian mechanism it returns exceeds the target (by 1e-8 to 1e-6), by autodp's own number; for
# 0.1 and 4 it stays below. A budget of exactly the target refuses what was calibrated for it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet autodp==0.2.3.1 numpy==2.4.6 scipy==1.17.1 matplotlib==3.11.2
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from importlib.metadata import version

from autodp.calibrator_zoo import eps_delta_calibrator
from autodp.mechanism_zoo import ExactGaussianMechanism

print(f"autodp {version('autodp')}")
beyond = {}
for target in (0.1, 0.5, 1.0, 2.0, 3.0, 4.0):
    found = eps_delta_calibrator().calibrate(ExactGaussianMechanism, target, 1e-6, [0.01, 100])
    beyond[target] = found.get_approxDP(1e-6) - target
    print(f"target {target:g}: beyond it by {beyond[target]:.1e}")
assert all(1e-9 < beyond[target] < 1e-4 for target in (0.5, 1.0, 2.0, 3.0)), beyond
assert beyond[0.1] < 0 and beyond[4.0] < 0, beyond
assert version("autodp") == "0.2.3.1"
PYTHON
echo "as described"
