"""What the server says around the answers."""

from __future__ import annotations

from typing import Final

__all__ = ["TEXTS"]

TEXTS: Final[dict[str, str]] = {
    # --- problems
    "serve.problem.busy": "Too busy",
    "serve.problem.invalid-file": "A file that cannot be read",
    "serve.problem.invalid-input": "A value that cannot be used",
    "serve.problem.json": "Not the JSON that was expected",
    "serve.problem.ledger-damaged": "Damaged ledger",
    "serve.problem.ledger-unavailable": "Ledger not available",
    "serve.problem.limit": "The answer took too long",
    "serve.problem.limit-refused": "A charge that a limit does not allow",
    "serve.problem.meaningless": "A question without an answer",
    "serve.problem.memory": "Not enough memory",
    "serve.problem.no-conversion": "No theorem for this conversion",
    "serve.problem.not-converged": "A search that stopped short",
    "serve.problem.dprisk-error": "A question that is refused",
    "serve.problem.not-written": "A file that was not written",
    "serve.problem.wrong-name": "A name that does not exist",
    "serve.problem.not-installed": "Something that is not installed",
    "serve.problem.out-of-range": "A number outside its range",
    "serve.problem.too-wide": "A bracket wider than was asked for",
    "serve.problem.unexpected": "Unexpected error",
    "serve.problem.wrong-call": "A question that is not clear",
    "serve.problem.http": "Not something this server does",
    "serve.problem.host": "Not this server's name",
    "serve.problem.origin": "A request from another site",
    "serve.problem.token": "No token, or a wrong one",
    "serve.problem.large": "Too large",
    "serve.problem.slow": "Too slow",
    "serve.problem.media": "Not JSON",
    "serve.busy": "Other questions are being answered. Try again in a few seconds.",
    "serve.limit": "The answer took more than {seconds} seconds, which is the limit. Ask for fewer "
    "releases or a simpler mechanism, or use the command line, which has no limit.",
    "serve.unexpected": "Something went wrong inside the server. Start it with --log to see what.",
    "serve.http.404": "There is no such page.",
    "serve.http.405": "This address does not accept {method} requests.",
    "serve.host": "This server does not answer to the name in the request. Use the address that "
    "was printed when it started.",
    "serve.origin": "The request comes from another site. Open this server's own pages.",
    "serve.token": "Give the token that was printed when the server started, as the password.",
    "serve.large": "The request is larger than {most} MB.",
    "serve.slow": "The request did not arrive within {seconds} seconds.",
    "serve.media": "Send the question as application/json.",
    # --- the command
    "serve.at": "dprisk is at {address}",
    "serve.with-token": "Token (as the password; shown only this once): {token}",
    "serve.how-to-stop": "Press Ctrl-C to stop.",
    "serve.stopped": "Stopped.",
    "serve.not-installed": "The server is not installed ({library} is missing). Install it with: "
    "pip install 'dprisk[serve]'",
    "serve.must.free": "an address that is free ({why})",
    "serve.must.host": "an address of this machine, such as 127.0.0.1",
    "serve.must.name": "a name without a port, such as risk.example.org",
    "serve.must.memory": "enough for a process to start",
    "serve.must.seconds": "above 0",
    "serve.must.workers": "at least {least}",
    # --- the description of the API
    "serve.api.title": "dprisk for programs",
    "serve.api.lead": "Send a question as JSON with POST. The answer is what the command line "
    "prints with --json, byte for byte. Nothing leaves this machine.",
    "serve.api.keys": "The keys are the options of the command, with underscores. You may give a "
    "number as text: it is then kept as written. Give a file as its text in YAML, as its content "
    "in JSON, or as an object with its name (file) and its text (text).",
    "serve.api.description": "OpenAPI description",
    "serve.api.pages": "Pages for people",
    "serve.api.example": "Example",
    "serve.api.table": "Keys of {question}",
    "serve.api.key": "key",
    "serve.api.meaning": "meaning",
    "serve.api.problems": "Problems",
    "serve.api.refused": "An error is a problem (RFC 9457), sent as application/problem+json. Its "
    "type is one of the following. Its detail is the error message of the command line.",
    "serve.api.summary": "What a differential-privacy guarantee means for a person.",
    "serve.api.answer": "What `dprisk {question} --json` prints.",
    "serve.api.400": "The body is not JSON.",
    "serve.api.413": "The body is too large.",
    "serve.api.422": "There is no answer to this question; the detail says why.",
    "serve.api.503": "Too busy. Try again after the number of seconds in Retry-After.",
    "serve.api.504": "The answer took longer than the limit.",
    # --- what is asked
    "serve.deep": "The JSON is nested too deeply.",
    "serve.json": "The body is not valid JSON: {problem}.",
    "serve.object": 'The body must be a JSON object, such as {{"epsilon": 1}}.',
    "serve.twice": "The key '{name}' appears twice in one object.",
    "serve.unknown": "There is no key '{name}'. Known keys: {names}.",
    "serve.part.unknown": "'{name}' is not read here. Leave it out. What is read: {names}.",
    "serve.part.nothing": "'{name}' is not read here. Leave it out. Nothing else is read either.",
    "serve.part.twice": "'{name}' is given twice. Give it once.",
    "serve.missing": "{name} is missing.",
    "serve.must.flag": "true or false",
    "serve.must.single": "one value, not a list",
    "serve.must.text": "a number or text",
    "serve.must.content": "the text of a file, or its content as JSON",
    "serve.must.file": "the name of a file without folders that ends in one of {endings}",
}
