"""``dprisk ledger``: every command, its exit code and its JSON."""

import json
import shutil

import pytest
from jsonschema import Draft202012Validator

from dprisk import PureDP
from dprisk.ledger import ChargeRequest, Ledger, json_schema
from tests.cli.running import run

ADD = ("--neighbors", "add-remove")
BY = ("--by", "ann")
RELEASE = (
    "{dprisk: 1, name: %s, unit: person, period: day, neighbors: add-remove,"
    " model: central, guarantees: [{epsilon: %s}]}"
)


def ledger(*arguments, code=0):
    done = run("ledger", *map(str, arguments))
    assert done.code == code, done.err
    return done


@pytest.fixture
def place(tmp_path):
    where = tmp_path / "a.ledger"
    ledger("init", where, "--origin", "Office", *BY)
    said = ("--population", "residents", "--period", "2026", "--rule", "pure")
    ledger("account", where, "town", *said, "--limit", "epsilon=1", "--at-delta", "0", *BY)
    return where


def valid(made, command):
    """The JSON that a command printed, valid by its own part of the schema."""
    data, schema = json.loads(made.out), json_schema()
    Draft202012Validator(schema).validate(data)
    Draft202012Validator({**schema, "anyOf": [{"$ref": f"#/$defs/{command}"}]}).validate(data)
    return data


def test_what_is_printed_keeps_its_schema(tmp_path):
    assert run("schema", "ledger").data == json_schema()
    Draft202012Validator.check_schema(json_schema())
    place, file = tmp_path / "a.ledger", tmp_path / "one.yaml"
    file.write_text(RELEASE % ("one", "0.6"))
    valid(ledger("init", place, "--origin", "Office", *BY, "--json"), "init")
    said = ("--population", "residents", "--period", "2026", "--apart", *BY, "--json")
    limits = ("--limit", "posterior=0.5", "--prior", "0.1", "--limit", "epsilon=3")
    for rule in ("fixed", "approximate", "concentrated", "gaussian"):
        more = ("--rule", rule, *limits, "--at-delta", "1e-6")
        opened = valid(ledger("account", place, rule, *said, *more), "account")
        assert (opened["cap"] is None) == (rule == "fixed")
    more = ("--rule", "renyi", *limits[:4], "--order", "2", "--order", "32", "--shape", file)
    assert valid(ledger("account", place, "renyi", *said, *more), "account")["shape"]
    given = (*ADD, "-a", "concentrated", "-a", "fixed", *BY, "--json")
    for key in ("a", "b"):
        asked = ledger("reserve", place, "--rho", "0.001", "--key", key, *given)
        assert valid(asked, "charge")["costs"]["fixed"] == [
            {"guarantee": {"rho": "0.001"}, "count": 1}
        ]
    valid(ledger("void", place, "b", "--not-run", "--reason", "no", *BY, "--json"), "charge")
    made = valid(ledger("release", place, "a", *BY, "--json"), "charge")
    assert made["decided"]["seq"] == made["seq"] + 3
    valid(ledger("charge", place, file, "-a", "approximate", *BY, "--json"), "charge")
    for name in ("fixed", "approximate", "concentrated", "gaussian", "renyi"):
        valid(ledger("status", place, name, "--json"), "status")
    assert len(valid(ledger("history", place, "--json"), "history")) == 3
    file.write_text(RELEASE % ("two", "9"))
    planned = ledger("plan", place, file, "-a", "renyi", "-a", "fixed", "--json", code=3)
    assert not valid(planned, "plan")[0]["kept"]
    note = tmp_path / "a.note"
    assert not valid(ledger("checkpoint", place, "-o", note, "--json"), "checkpoint")["signed"]
    valid(ledger("verify", place, "--checkpoint", note, "--replay", "--json"), "verify")
    valid(ledger("key", place, "--json"), "key")
    receipt = tmp_path / "a.receipt"
    assert valid(ledger("receipt", place, "a", "-o", receipt, "--json"), "receipt")["signed"]
    valid(ledger("check-receipt", place, receipt, "--json"), "check-receipt")
    valid(ledger("export", place, "-o", tmp_path / "out", "--json"), "export")
    valid(ledger("import", tmp_path / "out", tmp_path / "b", "--json"), "import")


def test_a_charge_and_where_it_leads(place):
    ledger("charge", place, "--epsilon", "0.25", *ADD, "-a", "town", "--key", "k", *BY)
    told = json.loads(ledger("status", place, "town", "--json").out)
    assert told["standing"]["amounts"][0]["spent"] == "1/4" and told["standing"]["left"] == 3
    assert told["released"] == 1 and told["last"]["key"] == "k"
    assert "3 more releases" in ledger("status", place, "town", "-q").out


def test_a_limit_that_refuses_is_exit_code_3(place):
    done = ledger("charge", place, "--epsilon", "2", *ADD, "-a", "town", *BY, code=3)
    assert "nothing was spent" in done.err and "Traceback" not in done.err
    assert json.loads(ledger("status", place, "town", "--json").out)["released"] == 0


def test_reserve_release_void_history(place):
    for key in ("a", "b"):
        ledger("reserve", place, "--epsilon", "0.5", *ADD, "-a", "town", "--key", key, *BY)
    ledger("release", place, "a", *BY)
    ledger("void", place, "b", "--not-run", "--reason", "never made", *BY)
    states = [one["status"] for one in json.loads(ledger("history", place, "--json").out)]
    assert states == ["released", "voided"]
    assert ledger("void", place, "a", "--not-run", "--reason", "no", *BY, code=2).err.startswith(
        "Error:"
    )


def test_void_asks_for_the_word(place):
    ledger("reserve", place, "--epsilon", "0.5", *ADD, "-a", "town", "--key", "a", *BY)
    done = ledger("void", place, "a", "--reason", "did not look good", *BY, code=2)
    assert "--not-run" in done.err and "stays spent" in done.err
    assert json.loads(ledger("status", place, "town", "--json").out)["voided"] == 0
    assert "recorded as not run" in ledger(
        "void", place, "a", "--not-run", "--reason", "cancelled", *BY
    ).out  # fmt: skip
    assert "not run" in ledger("history", place).out


def test_charge_after_reserve_is_released(place):
    asked = ("--epsilon", "0.5", *ADD, "-a", "town", "--key", "a", *BY)
    ledger("reserve", place, *asked)
    assert "recorded as released" in ledger("charge", place, *asked).out
    done = ledger("void", place, "a", "--not-run", "--reason", "x", *BY, code=2)
    assert "Only a reservation can be voided" in done.err
    assert json.loads(ledger("status", place, "town", "--json").out)["released"] == 1


def test_accounts_are_listed_and_history_has_amounts(place, tmp_path):
    said = ("--population", "pupils", "--period", "2027", "--rule", "fixed", "--unit", "user")
    ledger("account", place, "school", *said, "--limit", "power=0.9", "--level", "0.05", *BY)
    empty = json.loads(ledger("accounts", place, "--json").out)
    assert [one["name"] for one in empty] == ["town", "school"]
    ledger("charge", place, "--epsilon", "0.25", *ADD, "-a", "town", *BY)
    file = tmp_path / "many.yaml"
    file.write_text(
        RELEASE.replace("{epsilon: %s}", "{epsilon: 0.01, count: 3}, {rho: 0.001}") % "many"
    )
    ledger("charge", place, "--mechanism", "gaussian", "sigma=20", "sensitivity=1", *ADD, "-a",
           "school", "--key", "noise", *BY)  # fmt: skip
    done = ledger("accounts", place, "--json")
    found = valid(done, "accounts")
    assert [(one["share"], one["charges"]) for one in found] == [("1/4", 1), (None, 1)]
    assert "25%" in ledger("accounts", place).out and "pupils" in ledger("accounts", place).out
    told = ledger("history", place).out
    assert "ε = 0.25" in told and "gaussian: sensitivity = 1.0, σ = 20.0" in told
    ledger("account", place, "all", *said[:4], "--rule", "concentrated", "--limit", "odds=9", *BY)
    ledger("charge", place, file, "-a", "all", *BY)
    assert "3 × (ε = 0.01); ρ = 0.001" in ledger("history", place, "all").out
    assert "ε = 0.25" not in ledger("history", place, "all").out


def test_a_ledger_without_accounts(tmp_path):
    ledger("init", tmp_path / "b", "--origin", "O", *BY)
    assert ledger("accounts", tmp_path / "b").out == "No account is open yet.\n"


def test_plan_says_which_fit(place, tmp_path):
    for name, epsilon in (("one", "0.6"), ("two", "0.7")):
        (tmp_path / f"{name}.yaml").write_text(RELEASE % (name, epsilon))
    files = (tmp_path / "one.yaml", tmp_path / "two.yaml")
    done = ledger("plan", place, *files, "-a", "town", code=3)
    assert done.out.splitlines() == ['"one" fits.', '"two" does not fit.']


def test_checkpoint_verify_export_import(place, tmp_path):
    note, folder, other = tmp_path / "a.note", tmp_path / "out", tmp_path / "b.ledger"
    ledger("checkpoint", place, "-o", note)
    ledger("charge", place, "--epsilon", "0.25", *ADD, "-a", "town", *BY)
    ledger("verify", place, "--checkpoint", note, "--replay")
    ledger("export", place, "-o", folder)
    ledger("import", folder, other)
    ledger("verify", other, "--checkpoint", note)
    same = [ledger("status", where, "town", "--json").out for where in (place, other)]
    assert same[0] == same[1]
    note.write_text(note.read_text().replace("Office", "Other"))
    assert ledger("verify", place, "--checkpoint", note, code=3).out


@pytest.mark.parametrize(
    "arguments",
    [
        ("status", "{missing}", "town"),
        ("status", "{place}", "farm"),
        ("init", "{place}", "--origin", "Office"),
        ("charge", "{place}", "--epsilon", "0.1", "--neighbors", "add-remove"),
        ("charge", "{place}", "--epsilon", "x", "--neighbors", "add-remove", "-a", "town"),
        ("release", "{place}", "nothing"),
        ("account", "{place}", "x", "--population", "p", "--period", "q"),
        ("verify", "{place}", "--checkpoint", "{missing}"),
        ("import", "{missing}", "{place}"),
        ("status", "postgresql://ann:secret@localhost:1/none", "town"),
    ],
)
def test_bad_input_ends_in_one_line(place, tmp_path, arguments):
    given = [each.format(place=place, missing=tmp_path / "none") for each in arguments]
    if given[0] not in ("status", "verify", "import"):
        given += BY
    done = run("ledger", *given)
    assert done.code == 2 and done.err.startswith("Error: ") and "secret" not in done.err
    assert len(done.err.splitlines()) == 1


def test_what_is_taken_already_is_named_as_it_was_typed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ledger("init", "a.ledger", "--origin", "Office", *BY)
    done = ledger("init", "a.ledger", "--origin", "Office", *BY, code=2)
    assert "LEDGER a.ledger: the value must be a place without a ledger." in done.err
    said = ("--population", "residents", "--limit", "epsilon=1", "--at-delta", "1e-6", *BY)
    ledger("account", "a.ledger", "town", "--period", "2026", *said)
    done = ledger("account", "a.ledger", "town", "--period", "2027", *said, code=2)
    assert "ACCOUNT town: the value must be a name that no other account has." in done.err


def test_nothing_is_exported_of_an_older_copy(place, tmp_path):
    shutil.copy(place, tmp_path / "older")
    asked = [ChargeRequest(PureDP(0.01, neighbors="add-remove"), "town") for _ in range(60)]
    with Ledger.open(place) as book:
        book.charge_all(asked, by="ann")
    shutil.copy(tmp_path / "older", place)
    assert "an older copy" in ledger("export", place, "-o", tmp_path / "out", code=2).err
    assert not (tmp_path / "out").exists()


def test_nothing_that_no_limit_uses_is_taken_by_an_account(tmp_path):
    """A share has no limits of its own; and only limits on epsilon are read at a delta."""
    book = str(tmp_path / "l.db")
    assert run("ledger", "init", book, "--origin", "Office", "--by", "ann").code == 0
    about = ("--population", "residents", "--period", "2026", "--by", "ann")
    limit = ("--limit", "posterior=0.9", "--prior", "0.2")
    assert run("ledger", "account", book, "a", *about, *limit).code == 0
    share = run(
        "ledger", "account", book, "b", *about, "--within", "a", "--share", "1/2", *limit[2:]
    )
    assert share.code == 2 and "--prior changes nothing" in share.err
    read = run("ledger", "account", book, "c", *about, *limit, "--at-delta", "1e-6")
    assert read.code == 2 and "--at-delta changes nothing" in read.err
