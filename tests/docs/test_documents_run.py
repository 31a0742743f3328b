"""The README and every page under docs/ do what they say; and a page that does not is caught."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.docs.documents import BrokenDocument, blocks, commands, run_document

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    ROOT / "README.md",
    *(
        path
        for path in sorted((ROOT / "docs").rglob("*.md"))
        if "_build" not in path.relative_to(ROOT).parts
    ),
]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_document_runs(path, tmp_path):
    if (ROOT / "examples").is_dir():
        shutil.copytree(ROOT / "examples", tmp_path / "examples")
    run_document(path, tmp_path, dprisk)


def dprisk():
    """The command, imported when a page first uses it."""
    from dprisk.cli import main

    main()


def echo():
    """Stands in for the command: prints its arguments, one a line; exits with 3 on "fail"."""
    print(*sys.argv[1:], sep="\n")
    if "fail" in sys.argv:
        sys.exit(3)


def written(tmp_path, text):
    path = tmp_path / "page.md"
    path.write_text(text, encoding="utf-8")
    return path


GOOD = {
    "plain code": ("```python\nassert 1 + 1 == 2\n```", 1),
    "one namespace": ("```python\nx = 3\n```\ntext\n```python\n>>> x + 1\n4\n```", 2),
    "a name from examples": ("```python\n>>> x = 3\n```\n```python\nassert x == 3\n```", 2),
    "ellipsis": ("```python\n>>> list(range(99))\n[0, 1, ..., 98]\n```", 1),
    "indented in a list": ("- item\n\n  ```python\n  assert True\n  ```", 1),
    "switched off, with a reason": ("```python no-run needs a printer\n1 / 0\n```", 0),
    "command without output": ("```console\n$ dprisk a b\n```", 1),
    "command with output": ("```console\n$ dprisk a 'b c'\na\nb c\n```", 1),
    "command with dots": ("```console\n$ dprisk a b c\na\n...\nc\n```", 1),
    "long command": ("```console\n$ dprisk a \\\n    b\na\nb\n```", 1),
    "announced exit code": ("```console\n$ dprisk fail\nfail\n$ echo $?\n3\n```", 1),
    "somebody else's command": ("```console\n$ pip install dprisk\n```", 0),
    "a file that is shown": (
        "```yaml r.yaml\na: 1\n```\n```python\nopen('r.yaml').close()\n```",
        1,
    ),
    "output into a file": ("```console\n$ dprisk a > o\n```\n```python\nopen('o').close()\n```", 2),
    "inside a note": (":::{note}\n```python\nassert True\n```\n:::", 1),
    "another language": ("```toml\nx = 1\n```", 0),
}

BAD = {
    "an exception": "```python\n1 / 0\n```",
    "an exception in an example": "```python\n>>> 1 / 0\n```",
    "a wrong value": "```python\n>>> 1 + 1\n3\n```",
    "a syntax error": "```python\n1 +\n```",
    "a later block": "```python\nx = 1\n```\n```python\nassert x == 2\n```",
    "off without a reason": "```python no-run\n1\n```",
    "an unknown switch": "```python skip because\n1\n```",
    "a disguised block": "```py\n1\n```",
    "a disguised directive": "```{code-block} python\n1\n```",
    "a disguised command": "```bash\ndprisk a\n```",
    "wrong output": "```console\n$ dprisk a\nb\n```",
    "wrong second output": "```console\n$ dprisk a\na\n$ dprisk b\nc\n```",
    "an unannounced exit code": "```console\n$ dprisk fail\nfail\n```",
    "a hidden exit code": "```console\n$ dprisk fail\n$ dprisk a\n```",
    "a wrong exit code": "```console\n$ dprisk fail\n$ echo $?\n2\n```",
    "a command we cannot run": "```console\n$ curl example.org\n```",
}


@pytest.mark.parametrize(("text", "ran"), GOOD.values(), ids=GOOD)
def test_good_page_passes(text, ran, tmp_path):
    assert run_document(written(tmp_path, text), tmp_path, echo) == ran


@pytest.mark.parametrize("text", BAD.values(), ids=BAD)
def test_bad_page_fails(text, tmp_path):
    with pytest.raises(BrokenDocument):
        run_document(written(tmp_path, text), tmp_path, echo)


def test_failure_names_file_and_line(tmp_path):
    page = written(tmp_path, "text\n\n```python\nx = 1\n1 / 0\n```")
    with pytest.raises(BrokenDocument, match=r'page\.md:4(.|\n)*"page\.md:4", line 5'):
        run_document(page, tmp_path, echo)


@pytest.mark.parametrize(("outer", "inner"), [("markdown", []), ("{note}", [("python", "1\n", 3)])])
def test_blocks_looks_into_directives_only(outer, inner):
    found = blocks(f"````{outer}\n```python\n1\n```\n````\n\n```python\n2\n```\n")
    assert [(block.language, block.text, block.line) for block in found] == [
        (outer, "```python\n1\n```\n", 2),
        *inner,
        ("python", "2\n", 8),
    ]


def test_commands_come_with_their_output():
    text = "$ dprisk a\none\n\ntwo\n$ dprisk b\n"
    assert list(commands(text)) == [("dprisk a", "one\n\ntwo"), ("dprisk b", "")]
