"""Judge the answers of a tool: ``python judge.py ANSWERS.json [known/FAMILY.json ...]``.

ANSWERS.json holds a decimal, as text, for each id of a vector, or null where the tool cannot say.
Needs nothing but Python. Exit code 0: all is well; 1: an answer is unsafe, or differs when the same
is asked again; 2: a file is not what it should be, and nothing was judged.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter, defaultdict
from decimal import Decimal, localcontext
from pathlib import Path
from typing import Any, NamedTuple

WRONG = ("unsafe", "differs")
HEAD = {"vectors", "family", "theorem", "ways", "known"}
EACH = {"id", "release", "ask", "truth", "unsafe", "flags", "after"}
NEAR = Decimal("1e-6")  # relative: an answer on the safe side that is so near agrees
INFINITE = Decimal("Infinity")
NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d{1,6})?|inf", re.ASCII)


class Unreadable(Exception):
    """Raised for a file that is not what it should be."""


class Verdict(NamedTuple):
    """Of one answer: a word, and how far it is from the truth, relatively."""

    word: str
    apart: Decimal = Decimal(0)


def judged(low: Decimal, high: Decimal, unsafe: str, answer: Decimal | None) -> Verdict:
    """An answer beside the interval in which the truth lies."""
    if answer is None:
        return Verdict("cannot say")
    if unsafe == "above":  # the answer has to be at most the truth
        short, over = answer > high, low - answer
    else:
        short, over = answer < low, answer - high if high < INFINITE else Decimal(0)
    if short:
        return Verdict("unsafe", _share(max(answer - high, low - answer), low))
    apart = _share(max(over, Decimal(0)), high)
    return Verdict("agrees" if apart <= NEAR else "looser", apart)


def _share(part: Decimal, whole: Decimal) -> Decimal:
    if part == 0 or whole == 0 or INFINITE in (part, whole):
        return INFINITE if part else Decimal(0)
    return part / abs(whole)


def number(text: Any, where: str) -> Decimal:
    """A decimal, or "inf"; a number that is not text has lost digits."""
    if not isinstance(text, str) or not NUMBER.fullmatch(text):
        raise Unreadable(f"{where} must be a decimal as text; {str(text)[:40]!r} is there.")
    return Decimal(text)


def read(path: Path) -> Any:
    """A whole file of JSON."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Unreadable(f"{path.name} cannot be read to its end: {error}.") from None


def vectors(path: Path) -> list[dict[str, Any]]:
    """The known answers of a file, each checked; an unknown field is refused by its name."""
    tree = read(path)
    if not isinstance(tree, dict) or tree.get("vectors") != 1:
        raise Unreadable(f"{path.name} has no vectors of version 1.")
    _fields(tree, HEAD, path.name)
    for place, each in enumerate(tree["known"]):
        where = f"{path.name}, vector {place + 1}"
        if not isinstance(each, dict):
            raise Unreadable(f"{where} must have fields.")
        _fields({"after": [], **each}, EACH, where)
        if each["unsafe"] not in ("below", "above") or len(each["truth"]) != 2:
            raise Unreadable(f"{where}: unsafe must be below or above, and truth two ends.")
        low, high = (number(end, where) for end in each["truth"])
        if low > high:
            raise Unreadable(f"{where}: the truth ends below where it starts.")
    return list(tree["known"])


def _fields(found: dict[str, Any], wanted: set[str], where: str) -> None:
    for name in sorted(found.keys() ^ wanted):
        raise Unreadable(f"{where}: {name} is {'unknown' if name in found else 'missing'}.")


def judge(answers: dict[str, Any], known: list[dict[str, Any]]) -> dict[str, Verdict]:
    """A verdict for each vector; one that has no answer cannot be said."""
    strange = answers.keys() - {each["id"] for each in known}
    if strange:
        raise Unreadable(f"There is no vector {min(strange)}.")
    asked = {e["id"]: json.dumps([e["release"], e["ask"]], sort_keys=True) for e in known}
    found, said = {}, defaultdict[str, set[Decimal | None]](set)
    with localcontext(prec=60):
        for each in known:
            given = answers.get(each["id"])
            answer = None if given is None else number(given, each["id"])
            low, high = (number(end, each["id"]) for end in each["truth"])
            found[each["id"]] = judged(low, high, each["unsafe"], answer)
            said[asked[each["id"]]].add(answer)
    for name, verdict in found.items():  # one answer, whatever was asked before
        if len(said[asked[name]]) > 1 and verdict.word != "unsafe":
            found[name] = Verdict("differs")
    return found


def told(known: list[dict[str, Any]], verdicts: dict[str, Verdict]) -> str:
    """How many of each word, for each flag; then every answer that is wrong."""
    words = ("agrees", "looser", *WRONG, "cannot say")
    given = ((flag, verdicts[e["id"]].word) for e in known for flag in ("all", *e["flags"]))
    counts = Counter(given)
    flags = ["all", *sorted({flag for flag, _ in counts} - {"all"})]
    rows = [("", words), *((flag, [counts[flag, word] for word in words]) for flag in flags)]
    lines = ["  ".join([f"{head:22}", *(f"{cell:>10}" for cell in cells)]) for head, cells in rows]
    for name, (word, apart) in verdicts.items():
        if word in WRONG:
            lines.append(f"{name}: {word}" + f" by {apart:.2g} of the truth" * (word == "unsafe"))
    return "\n".join(lines)


def main(args: list[str]) -> int:
    """Judge; say what is wrong with a file."""
    try:
        if not args:
            raise Unreadable("Name the file of answers.")
        answers = read(Path(args[0]))
        if not isinstance(answers, dict):
            raise Unreadable(f"{args[0]} must hold an answer for each id.")
        shipped = sorted((Path(__file__).parent / "known").glob("*.json"))
        files = [*map(Path, args[1:])] or shipped
        known = [each for path in files for each in vectors(path)]
        verdicts = judge(answers, known)
    except Unreadable as error:
        print(error, file=sys.stderr)
        return 2
    print(told(known, verdicts))
    return int(any(verdict.word in WRONG for verdict in verdicts.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
