"""Every file that cannot be read says which file, what is wrong, where, and what to do."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dprisk import read_release
from dprisk.errors import InvalidFile
from dprisk.releases import read_releases
from tests.releases.samples import HEAD, SHORTEST

BOMB = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n"
RECORD = "url_slug: a\ndeployment: {basic: {name: A}}\n"


def refusal(path):
    """The error that reading a file raises; it names the file and what to do."""
    with pytest.raises(InvalidFile) as caught:
        read_release(path)
    assert str(caught.value).startswith(str(path))
    assert str(caught.value).count(str(path)) == 1
    assert caught.value.fix
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return caught.value


BAD_CONTENT = [
    ("empty.yaml", "", "The file is empty", None),
    ("comment.yaml", "# nothing\n---\n", "The file is empty", None),
    ("empty.json", " \n", "The file is empty", None),
    ("null.json", "null", "The file is empty", None),
    ("empty.toml", "# nothing\n", "The file is empty", None),
    ("list.yaml", "[]", "list is empty", None),
    ("broken.yaml", "a: [1, 2\nb: 3\n", "not valid YAML", "line 2"),
    ("tab.yaml", "a:\n\tb: 1\n", "not valid YAML", "line 2"),
    ("broken.json", '{"a": 1,\n}', "not valid JSON", "line 2"),
    ("broken.toml", "a = \n", "not valid TOML", None),
    ("scalar.yaml", "just words", "keys and values", None),
    ("number.json", "3", "keys and values", None),
    ("scalars.yaml", "[1, 2]", "keys and values", None),
    ("bomb.yaml", BOMB, "Anchors and aliases", "line 1"),
    ("alias.yaml", "a: *b\n", "Anchors and aliases", "line 1"),
    ("tag.yaml", "a: !!python/object:os.system x\n", "tag", "line 1"),
    ("set.yaml", "a: !!set {b: null}\n", "tag", "line 1"),
    ("twice.yaml", "name: a\nunit: b\nname: c\n", "'name' occurs twice", "line 3"),
    ("twice.json", '{"a": {"b": 1, "b": 2}}', "'b' occurs twice", None),
    ("twice.toml", "a = 1\na = 2\n", "not valid TOML", None),
    ("key.yaml", "? [a, b]\n: c\n", "key is not text", "line 1"),
    ("deep.yaml", "a: " + "[" * 40 + "]" * 40, "levels deep", "line 1"),
    ("deep.json", '{"a": ' * 40 + "1" + "}" * 40, "levels deep", None),
    ("deeper.json", "[" * 300_000, "levels deep", None),
    ("deep.toml", ".".join("a" * 40) + " = 1", "levels deep", "line 1"),
    ("deeper.toml", "a = " + "[" * 50_000, "levels deep", None),
    ("other.yaml", "name: a\nunit: b\n", "has the key `dprisk`", None),
    ("several.yaml", f"{SHORTEST}---\n{SHORTEST}", "2 releases", None),
    ("listed.yaml", "".join(f"- {{{x}}}\n" for x in ("dprisk: 1", "dprisk: 1")), "missing", "name"),
    ("record.yaml", "url_slug: a\ndeployment: 3\n", "deployment", None),
    ("nameless.yaml", "url_slug: ''\ndeployment: {}\n", "neither a name nor", "name"),
    ("control.yaml", "name: a\nunit: b\x1b\n", "control character 0x1b", "line 2"),
]


@pytest.mark.parametrize(
    ("name", "content", "problem", "where"), BAD_CONTENT, ids=[case[0] for case in BAD_CONTENT]
)
def test_bad_content(name, content, problem, where, tmp_path):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    error = refusal(path)
    assert problem in error.problem
    assert error.where == where


def test_missing_file(tmp_path):
    assert "no such file" in refusal(tmp_path / "absent.yaml").problem
    (tmp_path / "file.yaml").write_text(SHORTEST)
    assert "no such file" in refusal(tmp_path / "file.yaml" / "below.yaml").problem


def test_folder(tmp_path):
    folder = tmp_path / "folder.yaml"
    folder.mkdir()
    assert "folder" in refusal(folder).problem


@pytest.mark.parametrize("name", ["release.csv", "release.yaml.txt", "release", "release.py"])
def test_wrong_ending(name, tmp_path):
    path = tmp_path / name
    path.write_text(SHORTEST)
    error = refusal(path)
    assert "ending" in error.problem or "end in" in error.problem
    assert ".yaml, .yml, .toml, .json" in error.fix


def test_ending_in_capitals_is_fine(tmp_path):
    path = tmp_path / "RELEASE.YAML"
    path.write_text(SHORTEST)
    assert read_release(path).name == "Town survey"


@pytest.mark.skipif(os.name == "nt" or not hasattr(os, "geteuid"), reason="needs POSIX permissions")
def test_no_permission(tmp_path, monkeypatch):
    path = tmp_path / "secret.yaml"
    path.write_text(SHORTEST)
    path.chmod(0)
    if os.geteuid() == 0:  # root may read everything
        monkeypatch.setattr("builtins.open", lambda *_: (_ for _ in ()).throw(PermissionError()))
    assert "permission to read" in refusal(path).problem


def test_nul_in_the_name():
    with pytest.raises(InvalidFile, match="cannot be read"):
        read_release("a\0b.yaml")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipe(tmp_path):
    path = tmp_path / "pipe.yaml"
    os.mkfifo(path)
    assert "regular file" in refusal(path).problem


def test_invalid_utf_8(tmp_path):
    path = tmp_path / "latin.yaml"
    path.write_bytes("name: a\nunit: Gemüse\n".encode("latin-1"))
    error = refusal(path)
    assert "UTF-8" in error.problem
    assert error.where == "line 2"


@pytest.mark.parametrize("name", ["junk.yaml", "junk.json", "junk.toml"])
def test_binary_junk(name, tmp_path):
    path = tmp_path / name
    path.write_bytes(bytes(range(256)) * 40)
    refusal(path)


@pytest.mark.parametrize("name", ["big.yaml", "big.json", "big.toml"])
def test_ten_megabytes_are_refused_before_they_are_read(name, tmp_path, monkeypatch):
    path = tmp_path / name
    path.write_bytes(b"a: 1 # junk\n" * 900_000)
    monkeypatch.setattr("builtins.open", lambda *_: pytest.fail("opened"))
    assert "1 MB" in refusal(path).problem


def test_file_that_grows_while_it_is_read(tmp_path, monkeypatch):
    path = tmp_path / "growing.yaml"
    path.write_bytes(b"#" * 1_500_000)
    small = os.stat_result((0o100644, 0, 0, 1, 0, 0, 10, 0, 0, 0))
    monkeypatch.setattr("dprisk._files.os.stat", lambda _: small)
    assert "1 MB" in refusal(path).problem


def test_wide_hostile_files_are_refused_soon(tmp_path):
    wide = "\n".join(f"k{number}: 1" for number in range(80_000))
    for name, content in [
        ("wide.yaml", wide),
        ("unknown.yaml", f"dprisk: 1\n{wide}"),
        ("quoted.toml", "[" + '"a".' * 100_000 + "b]\n"),
        (
            "angles.yaml",
            RECORD.replace("A}", '"' + "<a" * 400_000 + '"}').replace("slug: a", "x: 1"),
        ),
    ]:
        path = tmp_path / name
        path.write_text(content)
        refusal(path)


def test_byte_order_mark_and_windows_lines_are_fine(tmp_path):
    path = tmp_path / "windows.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + SHORTEST.replace("\n", "\r\n").encode())
    assert read_release(path).name == "Town survey"


def test_several_releases(tmp_path):
    path = tmp_path / "several.yaml"
    path.write_text(f"{SHORTEST}---\n{SHORTEST.replace('Town', 'City')}---\n{RECORD}")
    assert [release.name for release in read_releases(path)] == ["Town survey", "City survey", "A"]
    path.write_text(f"{SHORTEST}---\n{HEAD}guarantees: [{{epsilon: -1}}]\n")
    with pytest.raises(InvalidFile, match=r"document 2, guarantees\[0\].epsilon"):
        read_releases(path)


@settings(max_examples=60, deadline=None)
@given(text=st.text(alphabet="{}[]:,-\"'#&*!|>%@` \n\tab10.=\x00é", max_size=60))
@pytest.mark.parametrize("name", ["x.yaml", "x.json", "x.toml"])
def test_junk_never_ends_in_a_traceback(text, name, tmp_path_factory):
    path = tmp_path_factory.mktemp("junk") / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidFile):
        read_releases(path)


@pytest.mark.parametrize("word", ["shuffle", "Shuffle", "shuffled", "federated", "Federated"])
def test_models_of_the_registry_are_read(word, tmp_path):
    """With a note that says against whom the numbers hold."""
    path = tmp_path / "release.yaml"
    path.write_text(SHORTEST.replace("central", word))
    release = read_release(path)
    assert release.model == ("federated" if word.lower() == "federated" else "shuffle")
    (note,) = release.notes
    assert note.kind == "warning" and "numbers are about what" in note.text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("010", "Did you mean 10?"), ("00.5", "Did you mean 0.5?"), ("1e-400", "too close to 0"),
        ("1e400", "larger than"), ("'0,5'", "Did you mean 0.5?"), ("5%", "Did you mean 0.05?"),
        ("1" * 500, "at most 400 digits"), ("-0." + "0" * 500 + "1", "at most 400 digits"),
    ],
)  # fmt: skip
def test_numbers_that_are_none_say_why(text, words, tmp_path):
    path = tmp_path / "release.yaml"
    path.write_text(
        SHORTEST[: SHORTEST.index("guarantees")] + f"guarantees: [{{epsilon: {text}}}]\n"
    )
    assert words in refusal(path).fix


@pytest.mark.parametrize("text", ["0", "0.0", "0e-999", ".0", "1e-323", "1e-06", "+5", "5."])
def test_numbers_that_are_some(text):
    """What is 0 may be written as such; what is not is never read as 0."""
    from dprisk.releases.spelling import as_decimal

    assert as_decimal(text) == text
    assert (float(text) == 0.0) == (not any(digit in "123456789" for digit in text.split("e")[0]))


@pytest.mark.parametrize("date", ["2020", "2020-02", "2020-02-29"])
def test_dates_that_there_are(date, tmp_path):
    path = tmp_path / "release.yaml"
    path.write_text(f"{SHORTEST}date: {date}\n")
    assert read_release(path).date == date
    path.write_text(f"{SHORTEST}date: {date.replace('20-02-29', '21-02-29')}-00\n")
    assert "There is no date" in refusal(path).problem
