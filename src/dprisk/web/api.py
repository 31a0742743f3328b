"""``POST /api/<question>``: what the command line answers, for programs; and its description."""

from __future__ import annotations

import json
from dataclasses import MISSING
from typing import Any, Final

from dprisk import _pages
from dprisk._asking.commands import COMMANDS
from dprisk._asking.parameters import LIMIT, NUMBER, Parameter
from dprisk.text import fill
from dprisk.web.problems import KINDS, MEDIA
from dprisk.web.questions import QUESTIONS, TOWN, is_file, takes

EXAMPLES: Final[dict[str, dict[str, Any]]] = {
    "assess": {"epsilon": 1, "neighbors": "add-remove", "prior": [0.1, 0.5]},
    "compose": {"release": TOWN, "delta": 1e-6, "releases": 12},
    "power": {"rho": 0.1, "neighbors": "add-remove", "level": 0.05},
    "budget": {"limit": {"posterior": 0.8}, "prior": 0.5, "neighbors": "add-remove"},
    "explain": {"epsilon": 1, "neighbors": "add-remove", "audience": "regulator"},
    "report": {"release": TOWN, "by": "A. Analyst"},
}

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
        "info": {
            "title": "dprisk",
            "version": __version__,
            "summary": ("What a differential-privacy guarantee means for a person."),
        },
        "paths": {f"/api/{question}": {"post": _operation(question)} for question in QUESTIONS},
        "components": {"schemas": _schemas()},
    }


def page() -> str:
    """The same for people: every question with its keys and an example, and every problem."""
    from dprisk import __version__

    return _pages.page(
        "dprisk.web",
        "api.html.j2",
        say=fill,
        version=__version__,
        skip=fill("report.page.skip"),
        questions=[
            (name, COMMANDS[name][0], json.dumps(EXAMPLES[name], indent=2), _keys(name))
            for name in QUESTIONS
        ],
        kinds=KINDS,
    )


def _keys(question: str) -> list[tuple[str, str]]:
    return [(name, each.option.help) for name, each in takes(QUESTIONS[question]).items()]


def _operation(question: str) -> dict[str, Any]:
    refused = {MEDIA: {"schema": {"$ref": "#/components/schemas/problem"}}}
    return {
        "operationId": question,
        "summary": COMMANDS[question][0],
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {"schema": _body(question), "example": EXAMPLES[question]}
            },
        },
        "responses": {
            "200": {
                "description": f"What `dprisk {question} --json` prints.",
                "content": {"application/json": {"schema": _answer(question)}},
            },
            **{
                status: {"description": fill(f"serve.api.{status}"), "content": refused}
                for status in ("400", "413", "422", "503", "504")
            },
        },
    }


def _body(question: str) -> dict[str, Any]:
    known = takes(QUESTIONS[question])
    return {
        "type": "object",
        "properties": {name: _property(name, each) for name, each in known.items()},
        "required": [name for name, each in known.items() if each.default is MISSING],
        "additionalProperties": False,
    }


def _property(name: str, each: Parameter) -> dict[str, Any]:
    said = {"description": each.option.help}
    if not each.stands:
        return {**said, "type": "boolean", "default": False}
    if name == "parameters" or each.stands == LIMIT:
        return {**said, "type": "object", "additionalProperties": NUMBER_SCHEMA}
    if is_file(name, each):
        return {**said, **FILE_SCHEMA}
    one: dict[str, Any] = NUMBER_SCHEMA if each.stands == NUMBER else {"type": "string"}
    if each.many:
        return {**said, "anyOf": [one, {"type": "array", "items": one}]}
    shown = {"default": each.default} if isinstance(each.default, str) and each.default else {}
    return {**said, **one, **shown}


def _answer(question: str) -> dict[str, Any]:
    """The schema of an answer, where one is shipped."""
    one = {"$ref": f"#/components/schemas/{question}"}
    if question == "assess":
        return {"anyOf": [one, {"type": "array", "items": one}]}
    return one if question == "compose" else {"type": "object"}


def _schemas() -> dict[str, Any]:
    """Those that are shipped, each under an address of its own, to which its references point."""
    from dprisk.documents.assessing import json_schema
    from dprisk.documents.compositions import composition_schema

    shipped = {"assess": json_schema(), "compose": composition_schema()}
    named = {name: {"$id": f"urn:dprisk:{name}", **one} for name, one in shipped.items()}
    return {"problem": PROBLEM, **named}
