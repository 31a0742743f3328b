#!/usr/bin/env bash
# diffprivlib 0.6.6: `remaining(k)` names a spend that fits only k - 1 times.
#
# A BudgetAccountant with slack for advanced composition (epsilon 2, delta 1e-4, slack 5e-5)
# is asked what each of 50 queries may spend, and answers with epsilon 0.0630 and delta 1.0e-6.
# It accepts that 49 times and refuses the fiftieth: its own answer is a rounding too large.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet diffprivlib==0.6.6 scikit-learn==1.5.2 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from diffprivlib import BudgetAccountant, __version__
from diffprivlib.utils import BudgetError


def accepted(epsilon, delta, slack, count):
    """How often what `remaining` says for `count` queries can be spent."""
    accountant = BudgetAccountant(epsilon, delta, slack=slack)
    each = accountant.remaining(count)
    for done in range(count):
        try:
            accountant.spend(*each)
        except BudgetError:
            return done, each
    return count, each


print(f"diffprivlib {__version__}")
done, each = accepted(2, 1e-4, 5e-5, 50)
print(f"asked for 50, each ({each[0]:.6f}, {each[1]:.6g}): accepted {done} times")
assert done == 49, done
done, _ = accepted(1, 1e-5, 1e-6, 10)
print(f"another budget, asked for 10: accepted {done} times")
assert done == 10, done
assert __version__ == "0.6.6"
PYTHON
echo "as described"
