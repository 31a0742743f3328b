"""Documents about a release: assessments, explanations and reports.

Open `assessing` for `assess` and the questions beside it, `compositions` for many releases
composed, `findings` for what an assessment holds, `explaining` for an explanation, `beliefs`,
`topics` and `outlook` for its sentences, `results` and `budgets` for sentences about other results,
`promises` for promises in words, `saying` for how a sentence keeps its numbers, `document` for what
a document is made of, `reports` for reports and `render` for how each of them is written.
"""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
