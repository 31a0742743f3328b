#!/usr/bin/env bash
# diffpriv-pure 0.1.0: the noise of a count has one side.
#
# `private_count` promises pure epsilon-DP by "shifted geometric" noise. The noise is never below
# zero: in 200,000 draws with epsilon = 1, none is, and a third of them or more is exactly zero.
# So a count of 10 is reported as 10 with probability 0.63, and a count of 11 never: no finite
# epsilon covers that. On average the count is 0.58 too high. Two-sided geometric noise gives 10
# for 11 with probability 0.17, and is off by nothing on average.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet diffpriv-pure==0.1.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import math
import random
from importlib.metadata import version

from diffpriv_pure import private_count

random.seed(7)
draws = 200_000
of_ten = [private_count(10, 1.0) for _ in range(draws)]
of_eleven = [private_count(11, 1.0) for _ in range(draws)]
same = of_ten.count(10) / draws
lower = sum(value < 11 for value in of_eleven)
mean = sum(of_ten) / draws - 10
print(f"diffpriv-pure {version('diffpriv-pure')}, epsilon = 1, {draws} draws each")
print(f"a count of 10 is reported as 10 in {same:.3f}; a count of 11 below 11 in {lower} draws")
print(f"on average {mean:.3f} too high")
assert lower == 0 and min(of_ten) == 10
assert abs(same - (1 - math.exp(-1))) < 0.01, same
assert abs(mean - 1 / math.expm1(1)) < 0.02, mean
assert version("diffpriv-pure") == "0.1.0"
PYTHON
echo "as described"
