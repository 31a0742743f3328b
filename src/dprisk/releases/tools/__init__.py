"""Files and objects of other tools, read as releases; nothing in them is ever run.

Which file to open: `reading`, the way in, with the list of tools; `found`, what a file holds;
`asked`, what it says and what is asked for. DP-SGD: `states` of accountants, `events` of
dp_accounting, `logs` and cards, by the steps of `training`; saved files of PyTorch: `pickles`.
OpenDP: `serialized`. Budgets that were spent: `budgets`. Text: `statements`.
"""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
