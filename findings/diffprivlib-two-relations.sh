#!/usr/bin/env bash
# diffprivlib 0.6.6: one epsilon, two relations of neighbors.
#
# With epsilon = 1, `tools.sum` scales its noise to the width of the bounds, which is the change
# when one record is replaced by another. `tools.histogram` scales it to 1, which is the change
# when one record is added or removed; replacing a record changes two bins. A budget accountant
# adds both epsilons up, although under replacement the histogram costs 2 and the sum costs 1.
# Seen in the sensitivity that each function hands to its mechanism, and in the ratio of
# probabilities that follows from it. Fails if either changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet diffprivlib==0.6.6 scikit-learn==1.5.2 \
  numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import math

import numpy as np
from diffprivlib import BudgetAccountant, __version__, mechanisms, tools

handed = []
for kind in (mechanisms.Laplace, mechanisms.Geometric):

    def init(self, *, original=kind.__init__, **given):
        handed.append(float(given["sensitivity"]))
        original(self, **given)

    kind.__init__ = init

values = np.array([1.0, 2.0, 3.0, 4.0])
low, high = -5.0, 10.0  # replaced: a sum moves by up to 15; added or removed: by up to 10


def sensitivity(run):
    handed.clear()
    run()
    return handed[-1]


accountant = BudgetAccountant()
shared = {"epsilon": 1.0, "accountant": accountant}
of_sum = sensitivity(lambda: tools.sum(values, bounds=(low, high), **shared))
of_bins = sensitivity(lambda: tools.histogram(values, range=(0, 10), bins=5, **shared))
spent, _ = accountant.total()

# Noise of scale sensitivity / epsilon: the log of the largest ratio of probabilities.
replaced = {"sum": (high - low) / of_sum, "histogram": 2.0 / of_bins}
added = {"sum": max(abs(low), abs(high)) / of_sum, "histogram": 1.0 / of_bins}
print(f"diffprivlib {__version__}, epsilon = 1 each, {spent:g} on the accountant")
for name in replaced:
    print(f"{name}: {added[name]:.3f} when a record is added, {replaced[name]:.3f} when replaced")
assert __version__ == "0.6.6"
assert (of_sum, of_bins) == (15.0, 1.0), (of_sum, of_bins)
assert math.isclose(spent, 2.0)
assert replaced == {"sum": 1.0, "histogram": 2.0}
PYTHON
echo "as described"
