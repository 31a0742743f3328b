"""Count the lines of code of each room: without blank lines, comments and docstrings.

The last lines are sums: of rooms that there were when they were drawn, and of those that came
since, with their words.

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
SINCE = ("tables", "ledger", "page", "serve", "text/de")
SINCE_IN_WORDS = ("ledger", "page", "serve", "table", "ways")


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


def room_of(place: Path) -> str:
    """A room, and of the words the language."""
    parts = place.parts
    return "/".join(parts[: 2 if parts[0] == "text" and len(parts) > 2 else 1])


def is_since(place: Path) -> bool:
    """Whether it is in a room that came later, or holds the words of one."""
    words = place.parts[:2] == ("text", "en") and Path(place.parts[2]).stem in SINCE_IN_WORDS
    return words or room_of(place) in SINCE


def main() -> None:
    """Print a line for each room, and one for all."""
    folder = Path(sys.argv[1]) if sys.argv[1:] else PACKAGE
    rooms: Counter[str] = Counter()
    since = 0
    for path in folder.rglob("*.py"):
        lines, place = lines_of(path.read_text(encoding="utf-8")), path.relative_to(folder)
        rooms[room_of(place)] += lines
        since += lines * is_since(place)
    total = rooms.total()
    sums = [("total", total), ("of then", total - since), ("since", since)]
    for room, lines in [*sorted(rooms.items()), *sums]:
        print(f"{lines:6} {room}")


if __name__ == "__main__":
    main()
