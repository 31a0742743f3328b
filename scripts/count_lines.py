"""Count the lines of code of each room: without blank lines, comments and docstrings.

Usage: count_lines.py [FOLDER]
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections import Counter
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src" / "dprisk"
NO_CODE = {
    tokenize.COMMENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
    tokenize.INDENT,
    tokenize.NEWLINE,
    tokenize.NL,
}


def lines_of(text: str) -> int:
    """Lines of one file on which there is code."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    places = ((each.start[0], each.end[0]) for each in tokens if each.type not in NO_CODE)
    code = {line for first, last in places for line in range(first, last + 1)}
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                code -= set(range(node.lineno, (node.end_lineno or 0) + 1))
    return len(code)


def main() -> None:
    """Print a line for each room, and one for all."""
    folder = Path(sys.argv[1]) if sys.argv[1:] else PACKAGE
    rooms: Counter[str] = Counter()
    for path in folder.rglob("*.py"):
        rooms[path.relative_to(folder).parts[0]] += lines_of(path.read_text(encoding="utf-8"))
    for room, lines in [*sorted(rooms.items()), ("total", rooms.total())]:
        print(f"{lines:6} {room}")


if __name__ == "__main__":
    main()
