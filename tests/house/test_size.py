"""The house stays small: lines a room, modules a directory, one name for one thing."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict

import pytest

from tests.house.tree import ROOT, SOURCE, parsed

MUTABLE = ("dict", "list", "set", "bytearray", "defaultdict", "deque")
OPENINGS = ("Of ", "As ", "That of ", "Where ", "From ", "What ")
FACTORIES = {"accountant/profiles.py"}
TO_MEND = {"crowded": 0, "thin": 1, "mutable": 21, "twice": 20, "class": 43, "opening": 0}
"""How often each rule may be broken: numbers that only fall, down to none."""


def sources():
    """The tree of each module, by its path below the package."""
    return {path.relative_to(SOURCE).as_posix(): tree for path, tree in parsed().items()}


def sizes():
    """Lines of each room; those of the modules beside them count as one."""
    found = Counter()
    for path in SOURCE.rglob("*.py"):
        room = path.relative_to(SOURCE).parts[0] if path.parent != SOURCE else "."
        found[room] += len(path.read_text("utf-8").splitlines())
    return found


def over(found, most):
    """Rooms with more lines than they may have, or without a number."""
    return {room: lines for room, lines in found.items() if lines > most.get(room, 0)}


def crowded(names, most=16):
    """Directories with too many modules."""
    found = Counter(name.rpartition("/")[0] for name in names if not name.endswith("__init__.py"))
    return {place for place, count in found.items() if place and count > most}


def thin(lengths, least=60):
    """Modules that are hardly worth a file; what Alembic wants to be one is not asked."""
    ends = ("__init__.py", "__main__.py")
    few = {name for name, lines in lengths.items() if lines < least and not name.endswith(ends)}
    return {name for name in few if "/migrations/" not in name}


def is_frozen(node):
    """Whether a class is a frozen dataclass."""
    return any("frozen=True" in ast.unparse(each) for each in node.decorator_list)


def mutable_fields(trees):
    """Fields of frozen values that can be changed in place."""
    for name, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and is_frozen(node):
                for each in node.body:
                    if isinstance(each, ast.AnnAssign):
                        kind = ast.unparse(each.annotation).partition("[")[0]
                        made = ast.unparse(each.value) if each.value else ""
                        if kind in MUTABLE or any(f"factory={one}" in made for one in MUTABLE):
                            yield f"{name} {node.name}.{ast.unparse(each.target)}"


def constants(tree):
    """Names in capitals to which a module gives a value, and the value."""
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value:
            for each in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(each, ast.Name) and each.id.isupper() and len(each.id) > 1:
                    yield each.id, ast.unparse(node.value)


def twice(trees):
    """Constants that stand in several modules, with one value."""
    places = defaultdict(set)
    for name, tree in trees.items():
        if not name.startswith("text/"):
            for each in constants(tree):
                places[each].add(name)
    return {each for each, found in places.items() if len(found) > 1}


def asked_for_class(trees):
    """Classes that are asked for by isinstance outside their file, below an abstract one."""
    classes = {
        node.name: (name, [ast.unparse(base).partition("[")[0] for base in node.bases])
        for name, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    abstract = {each for each, (_, bases) in classes.items() if "ABC" in bases}
    concrete = {
        each
        for each, (_, bases) in classes.items()
        if any(base in abstract for base in bases) and "ABC" not in bases
    }
    for name, tree in trees.items():
        for node in ast.walk(tree):
            called = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "isinstance"
            if called and name not in FACTORIES:
                for leaf in ast.walk(node.args[1]):
                    known = getattr(leaf, "id", "")
                    if known in concrete and classes[known][0] != name:
                        yield f"{name} {known}"


def badly_opened(trees):
    """Docstrings that do not begin with their subject."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for name, tree in trees.items():
        for node in (node for node in ast.walk(tree) if isinstance(node, kinds)):
            said = ast.get_docstring(node) or ""
            if said.startswith(OPENINGS):
                yield f"{name} {getattr(node, 'name', '')}"


def test_no_room_outgrows_its_lines():
    rows = (line.split() for line in (ROOT / "budget.lines").read_text("utf-8").splitlines())
    assert over(sizes(), {room: int(lines) for room, lines in rows}) == {}
    assert over({"a": 2, "b": 1}, {"a": 1, "b": 1}) == {"a": 2}


def test_directories_have_few_modules_of_some_size():
    lengths = {
        path.relative_to(SOURCE).as_posix(): len(path.read_text("utf-8").splitlines())
        for path in SOURCE.rglob("*.py")
    }
    for rule, found in (("crowded", crowded(lengths)), ("thin", thin(lengths))):
        assert len(found) <= TO_MEND[rule], sorted(found)
    assert crowded([f"a/{number}.py" for number in range(17)]) == {"a"}
    assert thin({"a/b.py": 59, "a/c.py": 60}) == {"a/b.py"}


CASES = {
    "mutable": (
        mutable_fields,
        "@dataclass(frozen=True)\nclass A:\n    seen: dict[str, int]\n",
    ),
    "twice": (twice, "LARGEST = 2\n"),
    "class": (asked_for_class, "def f(x):\n    return isinstance(x, One)\n"),
    "opening": (badly_opened, '"""Of the loss."""\n'),
}


@pytest.mark.parametrize("rule", CASES)
def test_the_code_follows(rule):
    find, broken = CASES[rule]
    found = set(find(sources()))
    assert len(found) <= TO_MEND[rule], sorted(found)
    base = "LARGEST = 2\nclass Any(ABC): ...\nclass One(Any): ...\n"
    assert set(find({"a.py": ast.parse(broken), "b.py": ast.parse(base)}))
