#!/usr/bin/env bash
# diffprivlib 0.6.6: discrete Gaussian noise that misses its delta at larger sensitivities.
#
# GaussianDiscrete(epsilon=1, delta=1e-6) searches the scale at which delta is met. With
# sensitivity 1 the scale 4.2308 is found, and delta of it, summed here term by term, is below 1e-6.
# With sensitivity 10 the scale is 42.24776, and delta is 1.0000062e-6: above what was promised.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet diffprivlib==0.6.6 scikit-learn==1.5.2 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import math

from diffprivlib import __version__
from diffprivlib.mechanisms import GaussianDiscrete

epsilon, delta = 1.0, 1e-6


def spent(sensitivity):
    """Delta at epsilon of discrete Gaussians as far apart as the sensitivity, by a plain sum."""
    made = GaussianDiscrete(epsilon=epsilon, delta=delta, sensitivity=sensitivity)
    scale = float(made._scale)
    reach = range(-int(40 * scale), int(40 * scale) + 1)
    total = math.fsum(math.exp(-(k**2) / (2 * scale**2)) for k in reach)
    # P(k) > e^epsilon P(k + sensitivity) from some k on: both tails, term by term.
    above = math.fsum(
        max(
            0.0,
            math.exp(-(k**2) / (2 * scale**2))
            - math.exp(epsilon - (k + sensitivity) ** 2 / (2 * scale**2)),
        )
        for k in reach
    )
    return scale, above / total


print(f"diffprivlib {__version__}, epsilon {epsilon:g}, delta {delta:g}")
found = {sensitivity: spent(sensitivity) for sensitivity in (1, 10)}
for sensitivity, (scale, true) in found.items():
    print(f"sensitivity {sensitivity}: scale {scale:.5f}, delta {true:.7g}")
assert found[1][1] < delta and 1.000003e-6 < found[10][1] < 1.00001e-6, found
assert __version__ == "0.6.6"
PYTHON
echo "as described"
