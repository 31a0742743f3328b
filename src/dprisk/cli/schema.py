"""``dprisk schema``: the JSON schemas of what is read and written."""

from __future__ import annotations

from typing import Annotated

import typer

from dprisk.cli import show
from dprisk.errors import InvalidInput
from dprisk.text import fill


def schema(
    of: Annotated[
        str,
        typer.Argument(help=fill("help.schema.of")),
    ],
) -> None:
    """The JSON schema of a release file, or of printed JSON."""
    if of == "release":
        from dprisk.releases.model import json_schema

        show.as_json(json_schema())
    elif of == "assessment":
        from dprisk.assessment import json_schema as assessment_schema

        show.as_json(assessment_schema())
    elif of == "composition":
        from dprisk.assessment import composition_schema

        show.as_json(composition_schema())
    else:
        raise InvalidInput("schema", of, "release, assessment or composition")
