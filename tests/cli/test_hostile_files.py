"""Files that nobody should give: each is refused in one line, and nothing is changed."""

from __future__ import annotations

import os

import pytest

from tests.cli.hostile import HEAD, PROFILE, QUERIES, TABLE, refused, survived, town

POSIX = pytest.mark.skipif(os.name == "nt", reason="needs POSIX")
ONE = HEAD + "guarantees: [{epsilon: 1}]\n"


def of(parameters, head=HEAD, what="guarantees"):
    return f"{head}{what}: [{parameters}]\n"


NUMBERS = (
    "nan", ".nan", "inf", ".inf", "-.inf", "-1", "1e-400", "1e400", "010", "0x10", "0o10", "1_000",
    "1,000", "1;5", "5%", "1/2", "log(3)", "ε", "[1]", "[]", "{}", "null", "~", "''", "' '", "true",
    "!!float 1", "&a 1", "*a", "2020-01-01", "12:30:45", "1" * 6000, "1e99999", "0." + "0" * 900,
    "'1\\n2'", '"\\u0661"', '"\\0"', "1 2", "--1", "+-1",
)  # fmt: skip
RELEASES = {
    **{f"epsilon {text[:20]}": of(f"{{epsilon: {text}}}") for text in NUMBERS},
    **{f"count {text[:20]}": of(f"{{epsilon: 1, count: {text}}}")
       for text in ("0", "-1", "1.5", "1e3", "010", "10000000000", "1" * 30, "two", "[2]", "true")},
    **{f"model {text}": of("{epsilon: 1}", HEAD.replace("central", text))
       for text in ("federal", "''", "[central]", "7", "central local")},
    **{f"date {text}": f"{ONE}date: {text}\n"
       for text in ("2020-13-45", "2021-02-29", "yesterday", "20200101", "01/02/2020", "0000")},
    **{f"neighbors {text}": of("{epsilon: 1}", HEAD.replace("add-remove", text))
       for text in ("twins", "both", "''", "[add-remove]", "add-remove, replace-one")},
    "DP-SGD as a promise": of("{noise_multiplier: 1.1, sample_rate: 0.01, steps: 100}"),
    "DP-SGD in epochs": of("{noise_multiplier: 1, sample_rate: 0.01, epochs: 3}",
        what="mechanisms"),
    "a rate above 1": of("{kind: subsampled-gaussian, sigma: 1, sensitivity: 1, rate: 1.1}",
        what="mechanisms"),
    "no noise at all": of("{kind: laplace, scale: 0, sensitivity: 1}", what="mechanisms"),
    "a mechanism of nobody": of("{kind: magic}", what="mechanisms"),
    "a kind that is a list": of("{kind: [laplace]}", what="mechanisms"),
    "two promises in one": of("{epsilon: 1, rho: 1}"),
    "no promise": of(""),
    "a promise that is text": of("epsilon is 1"),
    "promises that are a mapping": HEAD + "guarantees: {epsilon: 1}\n",
    "a key twice": ONE + "name: Other\n",
    "a key twice, deeper": of("{epsilon: 1, epsilon: 2}"),
    "a key in capitals": ONE.replace("name:", "Name:"),
    "a key with a letter that looks alike": ONE.replace("name:", "nаme:"),
    "a key of another version": ONE.replace("dprisk: 1", "dprisk: 2"),
    "a version that is true": ONE.replace("dprisk: 1", "dprisk: true"),
    "a name of a megabyte": ONE.replace("Town survey", "x" * 900_000),
    "a name that is empty": ONE.replace("Town survey", "''"),
    "a name that is a list": ONE.replace("Town survey", "[a, b]"),
    "two megabytes": ONE + "#" * 2_000_000,
    "a bomb": "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n",
    "a bomb of lists": "a: &a [x]\n" + "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join([f'*{chr(97 + n)}'] * 9)}]\n" for n in range(20)
    ),
    "an anchor in itself": "a: &a [*a]\n",
    "a promise within a promise": of("{epsilon: {epsilon: 1}}"),
    "a period of lists": ONE.replace("period: once", "period: [[once]]"),
    "a line of a megabyte": "#" * 1_000_001 + "\n" + ONE,
    "UTF-7": "+ADw-script+AD4-\n",
    "letters that change direction": ONE.replace("dprisk: 1", "\u202edprisk: 1"),
    "a form feed": ONE.replace("\n", "\f"),
    "a Windows path": ONE.replace("Town survey", '"C:\\Users"'),
    "JSON with comments": '{"dprisk": 1, // one\n "name": "Town"}',
    "a merge key": "x: &x {epsilon: 1}\n" + of("{<<: *x}"),
    "a tag of Python": "!!python/object/apply:os.system [id]\n",
    "a tag of its own": "!secret 1\n",
    "a thousand brackets": "a: " + "[" * 1000,
    "a thousand levels": "a: " + "[" * 1000 + "]" * 1000,
    "indented by tabs": "dprisk: 1\n\tname: x\n",
    "an open quote": ONE.replace("Town", '"Town'),
    "text": "Dear Sir or Madam,\n",
    "HTML": "<!doctype html><p>404</p>\n",
    "a zip": "PK\x03\x04\n",
    "a NUL": ONE.replace("Town", "Town\0"),
    "an escape": ONE.replace("Town", "\x1b[31mTown"),
    "nothing": "",
    "a BOM alone": "\ufeff",
    "comments alone": "# dprisk: 1\n",
    "null": "null\n",
    "three dashes": "---\n---\n---\n",
    "an empty list": "[]\n",
    "a list of numbers": "[1, 2]\n",
    "a record without a deployment": "url_slug: a\ndeployment: 3\n",
    "a profile": PROFILE,
    "a table": TABLE,
}  # fmt: skip


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(town(tmp_path))


@pytest.mark.parametrize("case", RELEASES)
def test_releases(case, tmp_path):
    (tmp_path / "bad.yaml").write_text(RELEASES[case], encoding="utf-8")
    assert "bad.yaml" in refused(tmp_path, "assess", "bad.yaml")


OTHER_FORMATS = {
    "trailing comma.json": '{"dprisk": 1,}',
    "comment.json": '// no\n{"dprisk": 1}',
    "single quotes.json": "{'dprisk': 1}",
    "a key twice.json": '{"dprisk": 1, "dprisk": 1}',
    "NaN.json": '{"dprisk": NaN}',
    "a number.json": "1e999",
    "deep.json": "[" * 100_000,
    "half.json": '{"dprisk": 1, "name": "To',
    "surrogate.json": '{"dprisk": 1, "name": "\\ud800"}',
    "a key twice.toml": "dprisk = 1\ndprisk = 1\n",
    "an octal number.toml": "dprisk = 01\n",
    "deep.toml": ".".join("a" * 500) + " = 1\n",
    "a long number.toml": "dprisk = " + "1" * 5000 + "\n",
    "a time.toml": "dprisk = 07:32:00\n",
    "a release.csv": ONE,
    "a release.txt": ONE,
    "a release": ONE,
    "a release.yaml.gz": ONE,
    ".yaml": ONE,
}


@pytest.mark.parametrize("name", OTHER_FORMATS)
def test_other_formats(name, tmp_path):
    (tmp_path / name).write_text(OTHER_FORMATS[name], encoding="utf-8")
    refused(tmp_path, "assess", f"./{name}")


TABLES = {
    "semicolons": TABLE.replace(",", ";"),
    "tabs": TABLE.replace(",", "\t"),
    "decimal commas": "d;a;b\nx;0,5;0,5\ny;0,4;0,6\n",
    "quoted decimal commas": 'd,a,b\nx,"0,5","0,5"\ny,"0,4","0,6"\n',
    "per cent": "d,a,b\nx,50%,50%\ny,40%,60%\n",
    "NaN": "d,a,b\nx,nan,0.5\ny,0.4,0.6\n",
    "infinite": "d,a,b\nx,inf,0.5\ny,0.4,0.6\n",
    "negative": "d,a,b\nx,1.5,-0.5\ny,0.4,0.6\n",
    "hexadecimal": "d,a,b\nx,0x1,0.5\ny,0.4,0.6\n",
    "underscores": "d,a,b\nx,0_5,0.5\ny,0.4,0.6\n",
    "over nothing": "d,a,b\nx,1/0,0.5\ny,0.4,0.6\n",
    "a sum of two": "d,a,b\nx,1,1\ny,0.4,0.6\n",
    "a sum of nothing": "d,a,b\nx,0,0\ny,0.4,0.6\n",
    "a gap": "d,a,b\nx,,1\ny,0.4,0.6\n",
    "a short line": "d,a,b\nx,1\ny,0.4,0.6\n",
    "a long line": "d,a,b\nx,0.5,0.5,0\ny,0.4,0.6\n",
    "one dataset": "d,a,b\nx,0.5,0.5\n",
    "a heading alone": "d,a,b\n",
    "a label twice": "d,a,b\nx,0.5,0.5\nx,0.4,0.6\n",
    "an output twice": "d,a,a\nx,0.5,0.5\ny,0.4,0.6\n",
    "an open quote": 'd,a,b\n"x,0.5,0.5\ny,0.4,0.6\n',
    "words": "d,a,b\nx,half,half\ny,0.4,0.6\n",
    "nothing": "",
    "blank lines": "\n\n\n",
    "YAML": ONE,
    "HTML": "<html><body>Not found</body></html>\n",
    "a million columns": "d," * 1_000_000 + "\n",
}


@pytest.mark.parametrize("case", TABLES)
def test_tables(case, tmp_path):
    (tmp_path / "bad.csv").write_text(TABLES[case], encoding="utf-8")
    assert "bad.csv" in refused(tmp_path, "audit", "bad.csv")


MECHANISMS = {
    "a list": "[1]", "text": '"x"', "nothing": "", "null": "null", "half": '{"a": {"x": 1',
    "a dataset twice": '{"a": {"x": 1}, "a": {"x": 1}}', "numbers": '{"a": 1, "b": 2}',
    "an unknown key": '{"probabilities": [[1]], "colour": 1}',
    "one row": '{"probabilities": [[1]]}',
    "ragged": '{"probabilities": [[1], [0.5, 0.5]]}', "NaN": '{"a": {"x": NaN}, "b": {"x": 1}}',
    "objects": '{"probabilities": [[{}], [{}]]}', "deep": "[" * 100_000,
    "labels missing": '{"probabilities": [[1], [1]], "datasets": ["a"]}',
    "text for rows": '{"probabilities": "ab"}', "empty rows": '{"probabilities": [[], []]}',
    "true": '{"a": {"x": true}, "b": {"x": true}}',
    "null cells": '{"a": {"x": null}, "b": {"x": 1}}',
}  # fmt: skip


@pytest.mark.parametrize("case", MECHANISMS)
def test_tables_in_json(case, tmp_path):
    (tmp_path / "bad.json").write_text(MECHANISMS[case], encoding="utf-8")
    refused(tmp_path, "audit", "bad.json")


def test_tables_that_take_for_ever(tmp_path):
    """A size is named, and nothing is begun."""
    rows = "".join(f"d{number},0.5,0.5\n" for number in range(20_000))
    (tmp_path / "tall.csv").write_text(f"d,a,b\n{rows}")
    assert "20,000 datasets" in refused(tmp_path, "audit", "tall.csv")
    many = 250
    lines = ["d," + ",".join(f"y{number}" for number in range(many))]
    lines += [f"d{number}," + ",".join([f"1/{many}"] * many) for number in range(900)]
    (tmp_path / "wide.csv").write_text("\n".join(lines))
    said = refused(tmp_path, "audit", "wide.csv", "--exact")
    assert "809,100 pairs and 250 outputs" in said and "200,000,000" in said


SAMPLED = {
    "one column": "with\n1\n", "three columns": "a,b,c\n1,2,3\n", "nothing": "",
    "a heading": "a,b\n",
    "semicolons": "a;b\n1;2\n", "an empty column": "a,b\n1,\n2,\n", "an open quote": 'a,b\n"1,2\n',
}  # fmt: skip


@pytest.mark.parametrize("case", SAMPLED)
def test_samples(case, tmp_path):
    (tmp_path / "bad.csv").write_text(SAMPLED[case], encoding="utf-8")
    refused(tmp_path, "audit", "bad.csv", "--samples")


@pytest.mark.parametrize(
    "text", ["no\n", "no,yes,no\n", "no,maybe\n", "no;yes\n", "no,no\n", '"no,yes\n', "no,\n"]
)
def test_pairs_of_neighbors(text, tmp_path):
    (tmp_path / "bad.csv").write_text(text)
    refused(tmp_path, "audit", "coin.csv", "--neighbors", "bad.csv")


PROFILES = {
    **{f"ratio {text[:20]}": f"dprisk: 1\nprofile: {{ratio: {text}}}\n" for text in (
        "nan", "-1", "010", "1e-400", "3,5", "'3%'", "[3]", "null", "{a: 1}", "1" * 900,
    )},
    "two limits": "dprisk: 1\nprofile: {ratio: 3, odds: 3}\n",
    "no limit": "dprisk: 1\nprofile: {}\n",
    "no profile": "dprisk: 1\n",
    "a prior above 1": "dprisk: 1\nprofile: {ratio: 3, value_prior: 2}\n",
    "three priors": "dprisk: 1\nprofile: {ratio: 3, value_prior: [0, 0.1, 0.2]}\n",
    "priors backwards": "dprisk: 1\nprofile: {ratio: 3, value_prior: [0.2, 0.1]}\n",
    "no level": "dprisk: 1\nprofile: {power: 0.2}\n",
    "a short row": "dprisk: 1\nprofile: {table: [[0.1, 0.2]]}\n",
    "an empty table": "dprisk: 1\nprofile: {table: []}\n",
    "an unknown key": "dprisk: 1\nprofile: {ratoi: 3}\n",
    "deep": "dprisk: 1\nprofile: " + "{any_of: [" * 30 + "{ratio: 3}" + "]}" * 30 + "\n",
    "a release": ONE,
    "nothing": "",
    "two documents": f"{PROFILE}---\n{PROFILE}",
    "a list": "[1]\n",
}  # fmt: skip


@pytest.mark.parametrize("case", PROFILES)
def test_profiles(case, tmp_path):
    (tmp_path / "bad.yaml").write_text(PROFILES[case], encoding="utf-8")
    assert "bad.yaml" in refused(tmp_path, "budget", "bad.yaml")


ALLOCATIONS = {
    **{f"rho {text[:20]}": QUERIES.replace("0.15", text) for text in (
        "nan", "inf", "-1", "010", "1e-400", '"0,15"', "15%", "1/0", "x", "", "1" * 900, "0x1",
    )},
    **{f"moves {text}": QUERIES.replace("0.15,2", f"0.15,{text}") for text in (
        "0", "-2", "1.5", "x", "9" * 30,
    )},
    "semicolons": QUERIES.replace(",", ";"),
    "tabs": QUERIES.replace(",", "\t"),
    "no amounts": "query,attributes,moves\na,,2\n",
    "two kinds of amounts": "query,attributes,rho,epsilon,moves\na,,1,1,2\n",
    "a query twice": QUERIES + "income,income,0.15,2\n",
    "an unknown column": QUERIES.replace("attributes", "attributs"),
    "a column twice": QUERIES.replace("attributes", "query"),
    "a short line": QUERIES + "x\n",
    "a heading alone": "query,attributes,rho,moves\n",
    "nothing": "",
    "an open quote": 'query,attributes,rho,moves\n"a,,1,2\n',
}  # fmt: skip


@pytest.mark.parametrize("case", ALLOCATIONS)
def test_allocations(case, tmp_path):
    (tmp_path / "bad.csv").write_text(ALLOCATIONS[case], encoding="utf-8")
    assert "bad.csv" in refused(tmp_path, "allocation", "bad.csv")


# --- places --------------------------------------------------------------------------------------

READERS = {
    "assess": ("assess", "{}"),
    "report": ("report", "{}", "-o", "new.html"),
    "compose": ("compose", "{}", "--delta", "1e-6"),
    "plan": ("plan", "survey.yaml", "--limit", "odds=9", "--spent", "{}"),
    "budget": ("budget", "{}"),
    "audit": ("audit", "{}"),
    "samples": ("audit", "{}", "--samples"),
    "edges": ("audit", "coin.csv", "--neighbors", "{}"),
    "allocation": ("allocation", "{}"),
    "the table of a report": ("report", "survey.yaml", "--allocation", "{}", "--json"),
}


def _places(folder):
    """Names of what is no file that can be read, for each ending."""
    (folder / "locked").mkdir()
    for ending in (".yaml", ".csv"):
        (folder / f"folder{ending}").mkdir()
        os.mkfifo(folder / f"pipe{ending}")
        (folder / f"circle{ending}").symlink_to(f"circle{ending}")
        (folder / f"dangling{ending}").symlink_to("absent")
        (folder / f"to-null{ending}").symlink_to("/dev/null")
        (folder / f"latin{ending}").write_bytes(b"name: Gem\xfcse, x\n")
        (folder / f"utf-16{ending}").write_bytes("a: 1, b\n".encode("utf-16"))
        (folder / f"binary{ending}").write_bytes(bytes(range(256)) * 9)


PLACES = (
    "", ".", "..", "/", "absent", "folder", "pipe", "circle", "dangling", "to-null", "latin",
    "utf-16", "binary", "coin.csv/below", "x" * 300, "a\0b", "https://example.org/a", "file:///etc/a",
    "-", "~/absent", "*", "\x1b[31m", "/dev/zero", "/dev/stdin", "/proc/self/mem",
)  # fmt: skip


TRIED = [
    pytest.param(reader, place, id=f"{reader} {ascii(place)[:20]}")
    for reader in READERS
    for place in (PLACES if reader in ("assess", "audit") else ("absent", "folder", "pipe"))
]


@POSIX
@pytest.mark.parametrize(("reader", "place"), TRIED)
def test_places(reader, place, tmp_path):
    """Nothing hangs, whatever it is that has the name of a file."""
    _places(tmp_path)
    ending = ".csv" if reader in ("audit", "samples", "edges", "allocation") else ".yaml"
    name = place if place in ("", ".", "..", "/", "-") else f"{place}{ending}"
    for each in {name, place}:
        refused(
            tmp_path, *[word.format(each) if word == "{}" else word for word in READERS[reader]]
        )


@pytest.mark.parametrize("text", ["\ufeff" + ONE, ONE.replace("\n", "\r\n"), ONE + "\n" * 1000])
def test_what_is_odd_and_fine(text, tmp_path):
    (tmp_path / "odd.yaml").write_text(text, encoding="utf-8", newline="")
    assert survived(tmp_path, "assess", "odd.yaml").code == 0
