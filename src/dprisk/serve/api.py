"""``POST /api/<question>``: what the command line answers, for programs; and its description.

The body is that of `questions.ask`, the answer is what the command prints with ``--json``, byte for
byte, and an error is a problem (see `problems`). The description is made from the options of the
commands, so that neither can forget the other.
"""

from __future__ import annotations

from inspect import Parameter
from typing import Any, Final, get_args

from dprisk._asking.options import FILE, FILE_OR_NUMBERS, LIMIT, NUMBER, Option, Texts
from dprisk.serve.problems import MEDIA
from dprisk.serve.questions import QUESTIONS, takes
from dprisk.text import fill

__all__ = ["described"]

NUMBER_SCHEMA: Final = {"type": ["number", "string"]}
FILE_SCHEMA: Final = {
    "anyOf": [
        {"type": ["string", "array"]},
        {
            "type": "object",
            "properties": {"file": {"type": "string"}, "text": {"type": "string"}},
        },
    ]
}
PROBLEM: Final = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string", "format": "uri-reference"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
    },
}


def described() -> dict[str, Any]:
    """The OpenAPI description of all questions."""
    from dprisk import __version__

    return {
        "openapi": "3.1.0",
        "info": {"title": "dprisk", "version": __version__, "summary": fill("serve.api.summary")},
        "paths": {f"/api/{question}": {"post": _operation(question)} for question in QUESTIONS},
        "components": {"schemas": {"Problem": PROBLEM}},
    }


def _operation(question: str) -> dict[str, Any]:
    refused = {MEDIA: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        "operationId": question,
        "summary": fill(f"help.{question}"),
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": _body(question)}},
        },
        "responses": {
            "200": {
                "description": fill("serve.api.answer", question=question),
                "content": {"application/json": {"schema": _answer(question)}},
            },
            **{
                status: {"description": fill(f"serve.api.{status}"), "content": refused}
                for status in ("400", "413", "422", "503", "504")
            },
        },
    }


def _body(question: str) -> dict[str, Any]:
    known = takes(question)
    return {
        "type": "object",
        "properties": {name: _property(name, *each) for name, each in known.items()},
        "required": [n for n, (leaf, _) in known.items() if leaf.default is Parameter.empty],
        "additionalProperties": False,
    }


def _property(name: str, leaf: Parameter, option: Option) -> dict[str, Any]:
    said = {"description": option.words}
    if option.kind is None:
        return {**said, "type": "boolean", "default": False}
    if name == "parameters" or option.kind == LIMIT:
        return {**said, "type": "object", "additionalProperties": NUMBER_SCHEMA}
    if option.kind in (FILE, FILE_OR_NUMBERS):
        return {**said, **FILE_SCHEMA}
    one: dict[str, Any] = NUMBER_SCHEMA if option.kind == NUMBER else {"type": "string"}
    if get_args(leaf.annotation)[0] == Texts:
        return {**said, "anyOf": [one, {"type": "array", "items": one}]}
    shown = {"default": leaf.default} if isinstance(leaf.default, str) and leaf.default else {}
    return {**said, **one, **shown}


def _answer(question: str) -> dict[str, Any]:
    """The schema of an answer, where it is shipped."""
    from dprisk.assessment import composition_schema, json_schema

    if question == "assess":
        one = json_schema()
        return {"anyOf": [one, {"type": "array", "items": one}]}
    return composition_schema() if question == "compose" else {"type": "object"}
