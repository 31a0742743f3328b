"""A server for one machine: pages in which a promise is read as risk, and the same answers as JSON.

===========  ===================================================================================
`questions`  ``ask(question, body)``: a pure function; what ``dprisk <question> --json`` prints
`workers`    processes that answer, one question at a time, and can be stopped
`pool`       which worker answers what, for how long, and who has to wait
`problems`   errors as RFC 9457 problem details, in the words of the command line
`guard`      what comes in, and from where; headers on all that goes out
`api`        the questions at ``/api/...``, and their OpenAPI description
`ways`       from the address of a page to the questions behind it, and the lines that ask the same
`answered`   what a page shows of its answers; `budgeted` and `compared` likewise, `drawn` in SVG
`pages`      pages and documents as bytes; `routes`, where they are
`app`        all of it together: routes, and what starts and stops with the server
===========  ===================================================================================
"""

from __future__ import annotations

from dprisk._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
