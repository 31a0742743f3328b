"""The budget from the risk that is tolerated: a limit in, the largest epsilon or least noise out.

Which file to open. For a risk profile (pure DP, P3): `profile` says what one is, `boxes` and
`shapes` have its kinds, `solving` the largest epsilon (with `branch_and_bound`), also at many
priors, `files` how it is written down. For a limit on all releases together, under any definition:
`limits` and `informed` have its kinds, `search` the one search, and `largest` (promises), `noise`
and `counting` (numbers of releases) what it is asked for; `sheet` has several at once. DP-SGD and
noise on samples: `training`, by the few steps of `secants`.
"""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
