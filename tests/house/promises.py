"""What `docs/versions.md` promises to keep, written down: ``python -m tests.house.promises``.

Until a version is released, a name that goes is recorded anew; after that it has to stay, or warn.
"""

from __future__ import annotations

import hashlib
import inspect
import json
from pathlib import Path
from typing import Any

from typer.main import get_command

from dprisk.cli import application
from dprisk.documents.assessing import json_schema as assessment_schema
from dprisk.documents.compositions import composition_schema
from dprisk.ledger import json_schema as ledger_schema
from dprisk.releases.model import json_schema as release_schema
from tests.house.tree import ROOT, public_modules

KEPT = Path(__file__).with_name("promises.json")
SCHEMAS = {
    "assessment": assessment_schema,
    "composition": composition_schema,
    "ledger": ledger_schema,
    "release": release_schema,
}


def library() -> dict[str, list[str]]:
    """Public names, with the parameters of each in order; "=" after one that may be left out."""
    return {
        f"{module.__name__}.{name}": parameters(getattr(module, name))
        for module in public_modules()
        for name in getattr(module, "__all__", ())
    }


def parameters(thing: Any) -> list[str]:
    """Names of parameters; none of a constant."""
    if not callable(thing):
        return []
    try:
        found = inspect.signature(thing).parameters.values()
    except ValueError:
        return []
    return [f"{each.name}{'=' * (each.default is not each.empty)}" for each in found]


def command_line() -> dict[str, list[str]]:
    """Commands, with their options."""
    found: dict[str, list[str]] = {}
    todo: list[tuple[str, Any]] = [("dprisk", get_command(application()))]
    while todo:
        name, command = todo.pop()
        found[name] = sorted(o for each in command.params for o in each.opts if o[0] == "-")
        todo += [(f"{name} {below}", c) for below, c in getattr(command, "commands", {}).items()]
    return found


def keys(schema: dict[str, Any]) -> list[str]:
    """Keys of a JSON schema, by where they stand."""
    homes = {"": schema, **schema.get("$defs", {})}
    return sorted(f"{at}.{key}" for at, one in homes.items() for key in one.get("properties", ()))


def questions(count: int | None, path: Path) -> list[Any]:
    """How many vectors a file has, and what the first of them ask, as a digest."""
    known = json.loads(path.read_text(encoding="utf-8"))["known"][:count]
    asked = json.dumps([[each["id"], each["release"], each["ask"]] for each in known])
    return [len(known), hashlib.sha256(asked.encode()).hexdigest()]


def files() -> list[Path]:
    """The known answers."""
    return sorted((ROOT / "vectors" / "known").glob("*.json"))


def now() -> dict[str, dict[str, list[Any]]]:
    """Everything of today."""
    return {
        "library": library(),
        "command line": command_line(),
        "JSON": {name: keys(schema()) for name, schema in SCHEMAS.items()},
        "known answers": {path.stem: questions(None, path) for path in files()},
    }


if __name__ == "__main__":
    rooms = [
        f"{json.dumps(door)}: {{\n"
        + ",\n".join(f"{json.dumps(name)}: {json.dumps(each)}" for name, each in found.items())
        + "\n}"
        for door, found in now().items()
    ]
    KEPT.write_text("{" + ",\n".join(rooms) + "}\n", encoding="utf-8")
