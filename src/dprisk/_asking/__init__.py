"""Questions that can be asked: options in text, and the one library call that answers each.

The command line and the server ask the same way, so that both say the same. Which file to open:
`parameters`, how a table of parameters is made; `options`, tables that several commands share;
`charging`, those of releases that a ledger counts; `questions`, what the server answers as well;
`answers` and `sheets`, answers as documents; `reading`, how text becomes values.
"""
