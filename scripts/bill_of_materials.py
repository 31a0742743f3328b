"""Write what a wheel of dprisk stands on, as CycloneDX JSON: ``bill_of_materials.py OUT``.

Names, versions and hashes are those of uv.lock, of what the package and its extras need, and of
what these need; nothing is downloaded.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
NAME = "dprisk"


def locked() -> dict[str, dict[str, Any]]:
    """The packages of the lock file by name; where there are several versions, the last one."""
    tree = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))
    return {package["name"]: package for package in tree["package"]}


def needed(packages: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """What the package, its extras, and all of these need."""
    own = packages[NAME]
    extras = own.get("optional-dependencies", {})
    wanted = [each["name"] for each in own["dependencies"]]
    wanted += [each["name"] for some in extras.values() for each in some]
    found: dict[str, dict[str, Any]] = {}
    while wanted:
        name = wanted.pop()
        if name in found or name not in packages:
            continue
        found[name] = packages[name]
        wanted += [each["name"] for each in _needs(packages[name])]
    return found


def _needs(package: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from package.get("dependencies", [])
    for some in package.get("optional-dependencies", {}).values():
        yield from some


def component(package: dict[str, Any]) -> dict[str, Any]:
    """A package in the words of CycloneDX."""
    files = [package.get("sdist", {}), *package.get("wheels", [])]
    hashes = [each["hash"].partition(":")[2] for each in files if "hash" in each]
    purl = f"pkg:pypi/{package['name']}@{package['version']}"
    return {
        "type": "library",
        "bom-ref": purl,
        "name": package["name"],
        "version": package["version"],
        "purl": purl,
        "hashes": [{"alg": "SHA-256", "content": each} for each in hashes],
    }


def bill() -> dict[str, Any]:
    """The whole bill; the same for the same lock file."""
    packages = locked()
    own = packages[NAME]
    found = needed(packages)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {"type": "library", "name": NAME, "version": own["version"]},
        },
        "components": [component(found[name]) for name in sorted(found)],
    }


def main() -> None:
    """Write it."""
    Path(sys.argv[1]).write_text(json.dumps(bill(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
