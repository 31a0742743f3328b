"""The example notebooks: run, kept with their outputs, and shown on the site without a kernel."""

from __future__ import annotations

import ast
import io
import json
import re
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "examples" / "notebooks"
SHOWN = re.compile(r"^<!-- notebook: (\w+) -->$", re.MULTILINE)


def read(path: Path) -> dict[str, Any]:
    """A notebook, as Jupyter writes it."""
    tree: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return tree


def source(cell: dict[str, Any]) -> str:
    """The text of a cell."""
    return "".join(cell["source"])


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _ran(code: str, names: dict[str, Any], where: str) -> list[dict[str, Any]]:
    """What a cell prints, and what its last expression is."""
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, found = io.StringIO(), None
    with redirect_stdout(printed):
        exec(compile(tree, where, "exec"), names)
        if isinstance(last, ast.Expr):
            found = eval(compile(ast.Expression(last.value), where, "eval"), names)
    outputs: list[dict[str, Any]] = []
    if text := printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": _lines(text)})
    if found is not None:
        data = {"text/plain": _lines(repr(found))}
        if hasattr(found, "_repr_html_"):
            data["text/html"] = _lines(found._repr_html_())
        outputs.append({"output_type": "execute_result", "data": data, "metadata": {}})
    return outputs


def run(notebook: dict[str, Any], name: str) -> dict[str, Any]:
    """The notebook with the outputs of its cells, run from top to bottom."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells, number = [], 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            cells.append(cell)
            continue
        number += 1
        outputs = _ran(source(cell), names, f"{name}, cell {number}")
        for each in outputs:
            if each["output_type"] == "execute_result":
                each["execution_count"] = number
        cells.append({**cell, "execution_count": number, "outputs": outputs})
    return {**notebook, "cells": cells}


def written(notebook: dict[str, Any]) -> str:
    """As Jupyter writes it."""
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def markdown(notebook: dict[str, Any]) -> str:
    """Cells and their outputs as a page: headings one level down."""
    blocks = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            blocks.append(re.sub(r"^#", "##", source(cell), flags=re.MULTILINE))
            continue
        blocks.append(f"```python\n{source(cell).rstrip()}\n```")
        for each in cell["outputs"]:
            data = each.get("data", {"text/plain": each.get("text", [])})
            if "text/html" in data:
                blocks.append(f"```{{raw}} html\n{''.join(data['text/html']).rstrip()}\n```")
            else:
                blocks.append(f"```text\n{''.join(data['text/plain']).rstrip()}\n```")
    return "\n\n".join(blocks)


def shown(text: str) -> str:
    """A page with each notebook in the place of the comment that names it."""
    return SHOWN.sub(lambda found: markdown(read(FOLDER / f"{found[1]}.ipynb")), text)


if __name__ == "__main__":
    for each in map(Path, sys.argv[1:] or sorted(FOLDER.glob("*.ipynb"))):
        each.write_text(written(run(read(each), each.name)), encoding="utf-8")
