#!/usr/bin/env bash
# pfl 0.6.0 and prv_accountant 0.2.0: the scale of Laplace noise is read as its inverse.
#
# pfl documents `noise_parameter` as the scale of the Laplace noise (sensitivity 1). Its PLD and
# RDP accountants use it so. Its PRV accountant hands it to prv_accountant's LaplaceMechanism,
# whose parameter is the epsilon of the mechanism, 1 / scale. With scale 0.5, where epsilon is 2,
# the PRV accountant says 0.5: a fourth, and below the truth. With scale 2 it says 2 where 0.5 is
# right. The sampling probability is left out as well: a tenth of the people gives the same.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet pfl==0.6.0 prv_accountant==0.2.0 dp_accounting==0.5.1 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import math
from importlib.metadata import version

from pfl.privacy.privacy_accountant import (
    PLDPrivacyAccountant,
    PRVPrivacyAccountant,
    RDPPrivacyAccountant,
)

delta = 1e-6


def stated(accountant, scale, probability=1.0):
    return float(accountant(1, probability, "laplace", delta=delta, noise_parameter=scale).epsilon)


print(f"pfl {version('pfl')}, prv_accountant {version('prv-accountant')}, delta {delta:g}")
for scale in (0.5, 1.0, 2.0):
    truth = 1 / scale + 2 * math.log1p(-delta)  # delta(e) = 1 - exp((e - 1 / scale) / 2)
    pld, rdp, prv = (
        stated(each, scale)
        for each in (PLDPrivacyAccountant, RDPPrivacyAccountant, PRVPrivacyAccountant)
    )
    print(f"scale {scale:g}: truth {truth:.4f}, PLD {pld:.4f}, RDP {rdp:.4f}, PRV {prv:.4f}")
    assert abs(pld - truth) < 1e-3 and truth <= rdp < truth + 0.01
    assert abs(prv - scale) < 0.02  # the scale itself
tenth = stated(PRVPrivacyAccountant, 0.5, 0.1)
assert tenth == stated(PRVPrivacyAccountant, 0.5)
assert version("pfl") == "0.6.0" and version("prv-accountant") == "0.2.0"
PYTHON
echo "as described"
