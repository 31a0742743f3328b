"""What is said to whoever installs, cites or reports is true of this version."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib

import pytest
import yaml

import dprisk
from tests.house.tree import ROOT

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT, BUILD = PYPROJECT["project"], PYPROJECT["build-system"]
RECIPE = {"schema_version", "context", "package", "source", "build", "requirements", "tests"}
RECIPE |= {"about", "extra", "recipe", "outputs", "cache"}
"""Keys that a recipe may have, by its schema."""
JUDGING = {"wrong", "bad", "bug", "buggy", "broken", "insecure", "dangerous", "careless", "lies"}
"""Words that judge a library instead of saying what it answers."""
ELSEWHERE = {"matplotlib": "matplotlib-base"}
"""Names that conda has for packages."""
PAGES = ("CITATION.cff", "SECURITY.md", "SUPPORT.md", "CODE_OF_CONDUCT.md", "docs/versions.md")


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def named(requirement):
    return re.split(r"[\s<>=!\[;]", requirement, maxsplit=1)[0]


def test_one_version():
    recipe, citation = (
        yaml.safe_load(text("conda/recipe.yaml")),
        yaml.safe_load(text("CITATION.cff")),
    )
    assert recipe["context"]["version"] == citation["version"] == PROJECT["version"]
    assert dprisk.__version__ == PROJECT["version"]
    assert citation["license"] == recipe["about"]["license"] == PROJECT["license"]
    assert f"## {PROJECT['version']}" in text("CHANGELOG.md")


def test_the_recipe_needs_what_the_package_needs():
    run = {
        re.sub(" ", "", each)
        for each in yaml.safe_load(text("conda/recipe.yaml"))["requirements"]["run"]
    }
    wanted = {f"python{PROJECT['requires-python']}"}
    for each in PROJECT["dependencies"]:
        name = named(each)
        wanted.add(each.replace(name, ELSEWHERE.get(name, name), 1))
    assert run == wanted


def test_the_recipe_builds_starts_and_tests_what_there_is():
    recipe, built = yaml.safe_load(text("conda/recipe.yaml")), BUILD["requires"]
    assert set(recipe) <= RECIPE and recipe["schema_version"] == 1
    host = {each.replace(" ", "") for each in recipe["requirements"]["host"]}
    assert host == {f"python{PROJECT['requires-python']}", "pip", *built}
    starts = [f"{name} = {where}" for name, where in PROJECT["scripts"].items()]
    assert recipe["build"]["python"]["entry_points"] == starts
    assert (ROOT / recipe["about"]["license_file"]).is_file()
    assert (ROOT / "conda" / recipe["source"]["path"]).resolve() == ROOT.resolve()
    for line in (line for each in recipe["tests"] for line in each.get("script", ())):
        assert line.startswith("dprisk ")
        command = [sys.executable, "-m", *line.split()]
        subprocess.run(command, check=True, capture_output=True)


def test_the_container_is_made_of_what_there_is():
    lines = text("Containerfile").splitlines()
    copied = [line.split()[1:-1] for line in lines if re.match(r"COPY (?!--from)", line)]
    given = {name for each in copied for name in each}
    assert {PROJECT["readme"], *PROJECT["license-files"], "pyproject.toml", "src"} == given
    assert all((ROOT / name).exists() for name in given)
    images = re.findall(r"^FROM \S+/python:3\.(\d+)-slim", text("Containerfile"), re.MULTILINE)
    least = int(PROJECT["requires-python"].rpartition(".")[2])
    assert len(images) == 2 and len(set(images)) == 1 and int(images[0]) >= least
    (extras,) = re.findall(r"\.whl\)\[([\w,]+)\]", text("Containerfile"))
    assert set(extras.split(",")) <= set(PROJECT["optional-dependencies"])
    assert f'ENTRYPOINT ["{next(iter(PROJECT["scripts"]))}"]' in lines


def test_the_bill_of_materials_has_all_that_an_installation_brings(tmp_path):
    path = tmp_path / "bill.json"
    command = [sys.executable, str(ROOT / "scripts/bill_of_materials.py"), str(path)]
    subprocess.run(command, check=True)
    bill = json.loads(path.read_text(encoding="utf-8"))
    found = {each["name"] for each in bill["components"]}
    extras = PROJECT["optional-dependencies"].values()
    direct = [*PROJECT["dependencies"], *(each for some in extras for each in some)]
    assert {named(each) for each in direct} <= found
    assert "pytest" not in found and "numpydoc" not in found
    assert all(each["hashes"] and each["version"] in each["purl"] for each in bill["components"])


@pytest.mark.parametrize("name", PAGES)
def test_pages_link_to_what_there_is(name):
    for address in re.findall(r"\]\((?!https?:)([^)#]+)", text(name)):
        assert ((ROOT / name).parent / address).exists(), address


def test_the_r_package_is_of_this_version_and_documents_what_it_exports():
    assert f"Version: {PROJECT['version']}\n" in text("r/DESCRIPTION")
    exported = re.findall(r"^export\((\w+)\)", text("r/NAMESPACE"), re.MULTILINE)
    pages = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "r/man").glob("*.Rd"))
    for name in exported:
        assert f"\\alias{{{name}}}" in pages and f"\n{name} <- function(" in text("r/R/dprisk.R")


def test_every_door_that_stays_the_same_is_named():
    rows = re.findall(r"^\| \*\*(.+?)\*\* \|", text("docs/versions.md"), re.MULTILINE)
    doors = [re.sub(r"\[(.+?)\]\(.*?\)", r"\1", row) for row in rows]
    assert doors == [
        *("numbers", "sentences", "JSON", "release files", "library", "command line", "ledger"),
        "known answers",
    ]


@pytest.mark.parametrize("path", sorted((ROOT / "findings").glob("*.sh")), ids=lambda p: p.stem)
def test_what_is_said_of_other_libraries_is_pinned_and_neutral(path):
    script = path.read_text(encoding="utf-8")
    head = re.findall(r"^# (.*)", script, re.MULTILINE)
    assert re.match(r"\S+ \d+\.\d+", head[0]) and "set -euo pipefail" in script
    assert not JUDGING & {*re.findall(r"[a-z]+", " ".join(head).lower())}
    (installed,) = re.findall(r'pip" install ((?:[^\\\n]|\\\n)+)', script)
    wanted = [each for each in installed.replace("\\\n", " ").split() if each[0] != "-"]
    assert wanted and all("==" in each for each in wanted)
    assert script.rstrip().endswith('echo "as described"')
