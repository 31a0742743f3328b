"""``dprisk schema``: the JSON schemas of what is read and written."""

from __future__ import annotations

from typing import Annotated, Any

from dprisk._asking import options
from dprisk.cli import show
from dprisk.cli.waiting import waiting
from dprisk.errors import refused


def schema(*, of: Annotated[str, options.argument("help.schema.of", options.WORD)]) -> None:
    """Print the JSON schema of a release file, or of JSON that is printed."""
    with waiting("schema"):
        found = _schema(of)
    show.as_json(found)


def _schema(of: str) -> Any:
    if of == "release":
        from dprisk.releases.model import json_schema

        return json_schema()
    if of == "assessment":
        from dprisk.documents.findings import json_schema as assessment_schema

        return assessment_schema()
    if of == "composition":
        from dprisk.documents.compositions import composition_schema

        return composition_schema()
    if of == "ledger":
        from dprisk.ledger import json_schema as ledger_schema

        return ledger_schema()
    raise refused("cli.must.schema", "schema", of)
