"""The served page in a browser: what only the server answers, in the page itself."""

from __future__ import annotations

import json

import httpx
import pytest

from dprisk.web.page import Panel
from dprisk.web.questions import QUESTIONS, TOWN, document, show, takes
from tests.cli.running import run
from tests.documents.browser import needs_chromium, opened, violations
from tests.web.running import serving

LAPLACE = {"mechanism": "laplace", "parameters": "scale=2 sensitivity=1", "neighbors": "add-remove"}


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_form_has_a_field_for_each_parameter(question):
    fields = Panel(ledger=False, write=False).questions()[question]
    assert [one.name for one in fields] == list(takes(QUESTIONS[question]))
    assert all(one.help for one in fields)
    by_name = {one.name: one for one in fields}
    if "neighbors" in by_name:
        assert by_name["neighbors"].choices == ("add-remove", "replace-one")


def test_only_who_may_write_is_asked_for_a_name():
    for write in (False, True):
        fields = Panel(ledger=True, write=write).questions()["ledger"]
        assert ({"charge", "by"} <= {one.name for one in fields}) is write


@pytest.mark.parametrize(
    ("name", "start"),
    [("report.html", "<!doctype"), ("summary.markdown", "# "), ("report.json", "{")],
)
def test_documents_are_those_of_the_command(name, start, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "release.yaml").write_text(TOWN)
    _, content = document(f"{name}\n{json.dumps({'release': TOWN})}".encode())
    what, _, form = name.partition(".")
    options = ["--summary"] if what == "summary" else []
    assert run("report", "release.yaml", "--format", form, *options).out == content.decode()
    assert content.decode().startswith(start)


def test_several_releases_are_shown_one_after_the_other():
    both = json.dumps({"release": f"[{TOWN}, {TOWN}]"})
    assert show(f"assess\n{both}".encode())[1].decode().count("Town survey") == 2


@pytest.fixture
def page(server):
    with opened(None) as page:
        complaints = []
        page.on("console", lambda message: complaints.append(message.text))
        page.goto(f"{server.address}#way=ask", timeout=120_000)
        yield page
        assert [one for one in complaints if "status of 422" not in one] == []


def ask(page, question, **fields):
    """Fill in a form and wait for the answer."""
    page.select_option("#question-name", question)
    for name, text in fields.items():
        field = page.locator(f"#{question}-{name}")
        if field.evaluate("e => e.tagName") == "SELECT":
            field.select_option(text)
        else:
            field.fill(text)
    page.evaluate("document.getElementById('answer').replaceChildren()")
    page.click("#question button[type=submit]")
    page.wait_for_function(
        "() => document.getElementById('answer').children.length > 0", timeout=60_000
    )
    return page.inner_text("#answer")


@needs_chromium
def test_a_mechanism_and_a_file_are_asked_of_the_server(page, tmp_path):
    assert not page.is_visible("#asked") and not page.is_visible("#compose-release")
    assert "posterior" in ask(page, "assess", **LAPLACE)
    assert "must" in ask(page, "assess", **{**LAPLACE, "parameters": "scale=0 sensitivity=1"})
    file = tmp_path / "town.toml"
    file.write_text(
        "dprisk = 1\nname = 'Town'\nunit = 'person'\nperiod = 'once'\nneighbors = 'add-remove'\n"
        "model = 'central'\nguarantees = [{rho = 0.1}]\n"
    )
    page.select_option("#question-name", "explain")
    page.set_input_files("[data-fills=explain-release]", file)
    page.wait_for_function("() => document.getElementById('explain-release').value !== ''")
    assert "Town" in ask(page, "explain", audience="curator")
    page.select_option("#question-name", "report")
    page.fill("#report-release", TOWN)
    with page.expect_download(timeout=120_000) as coming:
        page.click("[data-document='summary.html']")
    assert "Town survey" in coming.value.path().read_text(encoding="utf-8")


@needs_chromium
@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (360, "dark")])
def test_no_violation_and_nothing_cut(server, width, scheme):
    with opened(None, width=width, scheme=scheme) as page:
        page.goto(f"{server.address}#way=ask&lang=de", timeout=120_000)
        ask(page, "assess", epsilon="1", neighbors="add-remove")
        wrong, rules, wide = violations(page)
        assert (wrong, wide) == ([], width)
        assert rules > 15
        assert page.inner_text("#panel h2") == "Den Server fragen"


@needs_chromium
def test_a_ledger_is_asked_and_charged(tmp_path):
    pytest.importorskip("sqlalchemy")
    place = str(tmp_path / "a.ledger")
    run("ledger", "init", place, "--origin", "Office")
    terms = ("--population", "residents", "--period", "2026", "--limit", "posterior=0.5")
    run("ledger", "account", place, "town", *terms, "--prior", "0.1")
    with serving("--ledger", place) as served, opened(None) as page:
        assert httpx.post(f"{served.address}api/ledger", json={"charge": True}).status_code == 404
        page.goto(f"{served.address}#way=ledger", timeout=120_000)
        page.click("#question button[type=submit]")
        page.locator("#answer", has_text="residents").wait_for()
        page.fill("#ledger-account", "town")
        page.fill("#ledger-rho", "0.1")
        page.click("#question button[type=submit]")
        page.locator("#answer", has_text="It fits.").wait_for()
