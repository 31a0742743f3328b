"""The page, and a server that shows it and answers what a file alone cannot.

============  ==================================================================================
`page`        the one HTML file with its script, and the same page as a server shows it
`questions`   ``ask(question, body)``: a pure function; what ``dprisk <question> --json`` prints
`answers`     answers as pieces of the page, and reports to keep; `ledgers` likewise
`api`         the questions at ``/api/...``, and their OpenAPI description
`app`         the addresses, and what starts and stops with the server
`problems`    errors as RFC 9457 problem details, in the words of the command line
`guard`       which requests are let in; headers on everything that goes out
`pool`        which worker answers what, for how long, and who has to wait
`workers`     processes that answer, one question at a time, and can be stopped
`running`     uvicorn, with deadlines for slow senders
============  ==================================================================================
"""

from __future__ import annotations

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
