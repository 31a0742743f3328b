#!/usr/bin/env bash
# diffpriv-pure 0.1.0: advanced composition without one of its two terms.
#
# `advanced_composition(n, e, d)` returns e sqrt(2 n log(1 / d)) and n d. The theorem adds
# n e (exp(e) - 1), the mean of the loss. For 100 releases with epsilon 1 and d = 1e-5 it says
# (48.0, 0.001). A hundred randomized responses with epsilon 1 each have, at epsilon 48, a delta
# of 0.37, summed here term by term: 370 times what is stated.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet diffpriv-pure==0.1.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import math
from importlib.metadata import version

from diffpriv_pure import PrivacyBudget

n, each, slack = 100, 1.0, 1e-5
epsilon, delta = PrivacyBudget(1000.0, 0.5).advanced_composition(n, each, slack)
yes = 1 / (1 + math.exp(-each))
true = math.fsum(
    math.comb(n, k) * max(0.0, yes**k * (1 - yes) ** (n - k)
                          - math.exp(epsilon) * yes ** (n - k) * (1 - yes) ** k)
    for k in range(n + 1)
)
print(f"diffpriv-pure {version('diffpriv-pure')}: {n} times epsilon {each:g}")
print(f"stated epsilon {epsilon:.4f}, delta {delta:g}; delta there in truth {true:.4f}")
assert math.isclose(epsilon, each * math.sqrt(2 * n * math.log(1 / slack)))
assert math.isclose(delta, n * slack)
assert 0.2 < true < 0.6, true
assert version("diffpriv-pure") == "0.1.0"
PYTHON
echo "as described"
