"""Words of the server around the answers."""

from __future__ import annotations

from typing import Final

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
    "serve.part.unknown": "'{name}' is not read here. Leave it out. What is read: {names}.",
    "serve.part.nothing": "'{name}' is not read here. Leave it out. Nothing else is read either.",
    "serve.part.twice": "'{name}' is given twice. Give it once.",
    "serve.refused.401": "Reload this page and enter the token as the password, with any user "
    "name. If the token is lost, stop the server and start it again.",
    "serve.refused.403": "Type the address into the browser yourself, or open the page below.",
    "serve.refused.404": "Check the address for typing errors, or open the page below.",
    "serve.refused.405": "Only programs send requests to this address. Open the page below.",
    "serve.refused.408": "Check the connection, go back and send the request again.",
    "serve.refused.413": "Go back and send a shorter file, for example without notes.",
    "serve.refused.415": "Only programs send requests to this address. Open the page below.",
    "serve.refused.421": "If the server should also answer to this name, start it with --name.",
    "serve.refused.503": "Wait a few seconds, then reload this page.",
    "serve.refused.other": "Go back and change what you asked, or open the page below.",
    "serve.language.en": "English",
    "serve.language.de": "Deutsch",
}
