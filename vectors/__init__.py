"""Known answers: what accountants and readings of risk must say, and how to hold a tool to it.

`make.py` writes `known/` from ball arithmetic and, a second time, from sums and integrals at 40
digits; neither imports dprisk. `judge.py`, `judge.js` and `judge.R` judge the answers of any tool.
"""
