"""Documents about a release: assessments, explanations and reports.

Open `assessing` for `assess` and what it holds, `compositions` for tests and many releases
composed, `explaining` for an explanation, `case`, `beliefs`, `topics` for its sentences,
`saying` for how a sentence keeps its numbers, `promises` and `results` for promises and other
results in words, `document` for what a document is made of and `rendering` for how it is written,
`reporting` for a report, and `summary`, `risks`, `accumulation` and `grounds` for its sections.
"""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
