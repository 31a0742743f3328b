"""The page, and a server that shows it and answers what a file alone cannot.

Which file to open: `page`, the one HTML file with its script, and the same page as a server shows
it; `questions`, ``ask(question, body)``, which is what ``dprisk <question> --json`` prints, and
answers as pieces of the page; `ledgers`, likewise; `app`, the addresses, and the description of
the questions; `guard`, which requests are let in, and errors as RFC 9457 problem details; `pool`,
processes that answer, and which of them answers what; `running`, uvicorn, with deadlines.
"""

from __future__ import annotations

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
