"""Tables of any size: one function over Arrow batches, on the engine that holds the data.

`question` says what is asked and `inputs` reads it; `batches` answers, for each library; `files`
reads and writes parts and `running` goes through them; `people` adds up charges; `summary` counts.
"""

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
