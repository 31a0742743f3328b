"""Four ways in: from the address of a page to the questions behind it, as the command line has."""

from __future__ import annotations

import json
import math
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Context, Decimal
from typing import Any, Final, NamedTuple

from dprisk.errors import InvalidInput
from dprisk.releases import deployments
from dprisk.text import fill

WAYS: Final = ("promise", "release", "budget", "compare")
PARAMETERS: Final[dict[str, tuple[str, ...]]] = {
    "pure": ("epsilon",),
    "approximate": ("epsilon", "delta"),
    "concentrated": ("rho",),
    "gaussian": ("mu",),
}
CLASSES: Final = {
    "pure": "PureDP",
    "approximate": "ApproxDP",
    "concentrated": "ZeroConcentratedDP",
    "gaussian": "GaussianDP",
}
NEEDED: Final = {name for names in PARAMETERS.values() for name in names}
METRICS: Final = ("posterior", "difference", "power")
PRIORS: Final = ("0.01", "0.1", "0.5")
LEVELS: Final = ("0.01", "0.05", "0.1")
CURVE: Final = ("0.01", "0.02", "0.05", "0.1", "0.2", "0.3", "0.5")
MORE: Final = ("2", "10", "50", "365")
POINTS: Final = 5  # of a profile
MARKS: Final = ("", "2", "3")  # of the columns of a comparison
DIGITS: Final = 30  # that someone reads before an exponent is easier
LONG: Final = Context(prec=999)
USUAL: Final = "99"  # in 100: the confidence of the command line where none is given
RELEASE, PROFILE = "release", "profile.yaml"
TABLE_OR_KEY: Final = re.compile(
    r"(\s|#.*\n)*(\[{1,2}[\w.\"-]+\]{1,2}[^\S\n]*(#.*)?\n|[\w.\"-]+\s*=)"
)

PROMISE: Final = {
    "kind": "pure",
    "epsilon": "1",
    "delta": "1e-6",
    "rho": "0.5",
    "mu": "1",
    "neighbors": "add-remove",
}
READER: Final = {"count": "1", "prior": "10", "confidence": USUAL}
SPOKEN: Final = {"language": "en"}
WORDS: Final = {"audience": "regulator"} | SPOKEN
FIRST: Final = "Broadband Coverage"

START: Final[dict[str, dict[str, str]]] = {
    "promise": PROMISE
    | {"secret": "membership"}
    | READER
    | WORDS
    | {"name": "", "unit": "person", "period": "once", "model": "central"},
    "release": {"published": FIRST, "text": "", "secret": ""} | READER | WORDS,
    "budget": {"metric": "posterior", "neighbors": "add-remove", "secret": "membership"}
    | {"count": "1", "confidence": USUAL, "level": "5", "sensitivity": "1"}
    | {"people": ""}
    | {"prior1": "10", "limit1": "20"}
    | {f"{name}{n}": "" for n in range(2, POINTS + 1) for name in ("prior", "limit")}
    | SPOKEN,
    "compare": {
        name + mark: value
        for mark in MARKS
        for name, value in {**PROMISE, "published": FIRST}.items()
    }
    | {"epsilon2": "2", "kind3": "", "secret": "membership"}
    | READER
    | SPOKEN,
}
"""What an address says by leaving it out."""


class CommandCall(NamedTuple):
    """A command of the command line, and its options by name."""

    command: str
    body: Mapping[str, Any]


def state(way: str, query: Mapping[str, str]) -> dict[str, str]:
    """Everything that a page shows in its form; what the address does not say is as at the
    start."""
    found = {name: query.get(name, usual).strip() for name, usual in START[way].items()}
    for mark in MARKS:
        if f"kind{mark}" in found.keys() - query.keys():
            found[f"kind{mark}"] = _kind_of(query, mark) or found[f"kind{mark}"]
    marks = columns(found) if way == "compare" else [""]
    if any(_is_replaced(found, mark) for mark in marks):
        found["secret"] = "attribute"
    return found


def _kind_of(query: Mapping[str, str], mark: str) -> str | None:
    """The kind of promise that takes the parameters of a column, if there are any."""
    kinds = {**PARAMETERS, "published": ("published",)}
    given = {name for names in kinds.values() for name in names if name + mark in query}
    fits = (kind for kind, names in kinds.items() if given and given <= {*names})
    return next(fits, None)


def moot(way: str, now: Mapping[str, str]) -> set[str]:
    """The fields that change nothing, given the others: no answer depends on them."""
    if way == "release":
        return {"published"} if now["text"] else set()
    if way == "budget":
        return _moot_in_budget(now)
    kinds = {**PARAMETERS, "published": ("published",), "": ()}
    found = set()
    for mark in MARKS if way == "compare" else MARKS[:1]:
        kind = now[f"kind{mark}"]
        takes = {*kinds.get(kind, NEEDED), *(("neighbors",) if kind in PARAMETERS else ())}
        found |= {f"{name}{mark}" for name in {*NEEDED, "neighbors", "published"} - takes}
    return found


def _moot_in_budget(now: Mapping[str, str]) -> set[str]:
    """Only a posterior has a prior, and several limits; a test has a level, and no confidence."""
    of_test = now["metric"] == "power"
    found = {"confidence" if of_test else "level"}
    if now["metric"] != "posterior":
        more = range(2, POINTS + 1)
        return found | {"prior1"} | {f"{name}{n}" for n in more for name in ("prior", "limit")}
    halves = (n for n in range(2, POINTS + 1) if not (now[f"prior{n}"] and now[f"limit{n}"]))
    return found | {f"{name}{n}" for n in halves for name in ("prior", "limit")}


def _is_replaced(now: Mapping[str, str], mark: str) -> bool:
    """Whether one record stands in the place of another."""
    if now.get(f"kind{mark}") == "published":
        return any(
            one.neighbors == "replace-one" and one.name == now.get(f"published{mark}")
            for one in deployments()
        )
    return now.get(f"neighbors{mark}") == "replace-one"


def asked(way: str, now: Mapping[str, str]) -> dict[str, CommandCall]:
    """The questions behind a page, by the names under which it expects their answers."""
    if way == "budget":
        return {"budget": CommandCall("budget", _budget(now))}
    if way == "compare":
        return {
            name + mark: question
            for mark in columns(now)
            for name, question in _read(_subject(now, mark), now).items()
        }
    if way == "promise":
        return _read(typed(now), now)
    return _read(_file("release", *described(way, now)), now)


def columns(now: Mapping[str, str]) -> list[str]:
    """The marks of what is compared; the third may be missing."""
    return [*MARKS[:2], *(mark for mark in MARKS[2:] if now[f"kind{mark}"])]


def _subject(now: Mapping[str, str], mark: str) -> dict[str, Any]:
    if now[f"kind{mark}"] == "published":
        return _file("release", f"{RELEASE}{mark}.yaml", _shipped(now[f"published{mark}"]))
    return typed(now, mark)


def typed(now: Mapping[str, str], mark: str = "") -> dict[str, str]:
    """A promise as options."""
    kind = now[f"kind{mark}"]
    if kind not in PARAMETERS:
        raise InvalidInput("kind", kind, ", ".join(PARAMETERS))
    given = {name: now[name + mark] for name in PARAMETERS[kind]}
    return {**given, "neighbors": now[f"neighbors{mark}"]}


def _read(subject: Mapping[str, Any], now: Mapping[str, str]) -> dict[str, CommandCall]:
    """What someone learns, how well tests do, and both in words."""
    prior = share(now["prior"])
    about: dict[str, Any] = dict(subject)
    if now["secret"]:
        about["secret"] = now["secret"]
    again = {} if now["count"] == "1" else {"releases": now["count"]}
    sure = {} if now["confidence"] == USUAL else {"confidence": share(now["confidence"])}
    of = {"unit": now["unit"]} if now.get("unit") else {}
    found = {
        "assess": {"prior": _around(prior), **of, **sure, **again},
        "power": {"level": list(CURVE if "audience" in now else LEVELS), **again},
    }
    if "audience" in now:
        words = {"audience": now["audience"]}
        if now["language"] != "en":
            words["language"] = now["language"]
        found["explain"] = {"prior": [prior], "after": list(MORE), **words, **of, **sure, **again}
    return {name: CommandCall(name, about | body) for name, body in found.items()}


def _budget(now: Mapping[str, str]) -> dict[str, Any]:
    """Limits, or a profile where more than one point is drawn."""
    body: dict[str, Any] = {}
    metric, (first, *more) = now["metric"], points(now)
    if now["secret"] == "attribute":
        first, more = min([first, *more], key=_odds_ratio), []
    if metric not in METRICS:
        raise InvalidInput("metric", metric, ", ".join(METRICS))
    if metric == "posterior" and more:
        body |= _file("profile", PROFILE, profile(now))
    else:
        body["limit"] = [f"{metric}={share(first[1])}"]
    if metric == "posterior" and not more:
        body["prior"] = [share(first[0])]
    if metric == "power":
        body["level"] = [share(now["level"])]
    if metric != "power":
        body["confidence"] = share(now["confidence"])
    body["neighbors"] = now["neighbors"]
    if "profile" not in body:  # which says itself what it is about
        body["secret"] = now["secret"]
    for name, option in (("count", "releases"), ("sensitivity", "sensitivity")):
        if now[name] != "1":
            body[option] = now[name]
    if now["people"].strip():
        body["people"] = now["people"]
    return body


def _odds_ratio(point: tuple[str, str]) -> float:
    """How far a limit lets the odds rise; what is no limit comes first, to be refused."""
    from dprisk.releases.spelling import as_decimal

    prior, limit = (float(as_decimal(share(text)) or "nan") for text in point)
    if not 0.0 < prior < 1.0 or math.isnan(limit):
        return -math.inf
    return limit * (1.0 - prior) / (prior * (1.0 - limit)) if limit < 1.0 else math.inf


def points(now: Mapping[str, str]) -> list[tuple[str, str]]:
    """The points of a profile, in 100: from which chance, to which at most; the first is there."""
    rows = [(now[f"prior{n}"], now[f"limit{n}"]) for n in range(1, POINTS + 1)]
    return [rows[0], *(row for row in rows[1:] if all(row))]


def profile(now: Mapping[str, str]) -> str:
    """A profile file: whoever starts at a point or below it ends at its limit or below."""
    rows = [
        f"    - {{posterior: {_scalar(share(limit))}, "
        f"membership_prior: [0, {_scalar(share(prior))}], value_prior: 1}}"
        for prior, limit in points(now)
    ]
    named = _quoted(fill("ways.profile.name"))
    return "\n".join(["dprisk: 1", f"name: {named}", "profile:", "  all_of:", *rows, ""])


def _file(name: str, called: str, text: str) -> dict[str, Any]:
    return {name: {"file": called, "text": text}}


def described(way: str, now: Mapping[str, str]) -> tuple[str, str]:
    """The name and the text of the file that describes what a page is about."""
    if way == "promise":
        return f"{RELEASE}.yaml", _promise_file(now)
    if now["text"]:
        return f"{RELEASE}{ending(now['text'])}", now["text"]
    return f"{RELEASE}.yaml", _shipped(now["published"])


def ending(text: str) -> str:
    """The format of a pasted text, as the ending of a file: by how it begins."""
    if text.lstrip()[:1] in ("{", "["):
        return ".toml" if TABLE_OR_KEY.match(text) else ".json"
    return ".toml" if TABLE_OR_KEY.match(text) else ".yaml"


def _promise_file(now: Mapping[str, str]) -> str:
    given = {name: now[name] for name in PARAMETERS[now["kind"]]}
    named = now["name"] or fill("cli.release.promise")
    lines = {"name": named, **{name: now[name] for name in ("unit", "period")}}
    lines |= {"neighbors": now["neighbors"], "model": now["model"]}
    numbers = ", ".join(f"{name}: {_scalar(text)}" for name, text in given.items())
    head = [f"{name}: {_quoted(text)}" for name, text in lines.items()]
    return "\n".join(["dprisk: 1", *head, "guarantees:", f"  - {{{numbers}}}", ""])


def _shipped(name: str) -> str:
    """A shipped deployment as the text of a file; what its source does not say stays unsaid."""
    from dprisk.releases.writing import in_yaml

    known = {release.name: release for release in deployments() if release.parts}
    if name not in known:
        raise InvalidInput("published", name, fill("cli.must.deployment"))
    release, unstated = known[name], fill("page.say.unstated")
    return in_yaml(
        replace(release, unit=release.unit or unstated, period=release.period or unstated)
    )


def share(text: str) -> str:
    """A number in 100 as a share; what is no number is handed on, to be refused by its option."""
    from dprisk.releases.spelling import as_decimal

    if as_decimal(text) is None:
        return text
    exact = Decimal(text).scaleb(-2, LONG).normalize(LONG)
    return f"{exact:f}" if abs(exact.adjusted()) < DIGITS else f"{exact:e}"


def _scalar(text: str) -> str:
    """A number as it was written, or quoted text where it is none."""
    from dprisk.releases.spelling import as_decimal

    return _quoted(text) if as_decimal(text) is None else text


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=True)


def command(question: CommandCall) -> str:
    """The line that asks the same in a terminal."""
    return " ".join(["dprisk", question.command, *map(shlex.quote, _words(question.body))])


def _words(body: Mapping[str, Any]) -> Iterator[str]:
    for name, value in body.items():
        if isinstance(value, Mapping):
            yield value["file"]
        else:
            for one in value if isinstance(value, list) else [value]:
                yield from (f"--{name}", one)


def _around(prior: str) -> list[str]:
    """Other chances beside the one that is asked about, with which documents open: the middle."""
    others = [each for each in PRIORS if each != prior]
    half = (len(others) + 1) // 2
    return [*others[:half], prior, *others[half:]]


def reported(way: str, now: Mapping[str, str]) -> dict[str, Any]:
    """The options of a report about the same."""
    body = dict(_file("release", *described(way, now)))
    (question, *_) = asked(way, now).values()
    kept = ("secret", "prior", "confidence", "releases")
    body |= {name: question.body[name] for name in kept if name in question.body}
    return body | ({} if now["language"] == "en" else {"language": now["language"]})


def python(question: CommandCall, answer: Mapping[str, Any]) -> str:
    """The lines that ask the same in Python, for a promise, a release file or a budget."""
    make = _python_budget if question.command == "budget" else _python_assess
    return make(question.body, answer)


def _python_assess(body: Mapping[str, Any], answer: Mapping[str, Any]) -> str:
    who = answer["adversary"]
    sure = f", confidence={float(body['confidence'])!r}" if "confidence" in body else ""
    adversary = (
        f"Adversary(secret={who['secret']!r}, priors={tuple(map(float, who['priors']))!r}{sure})"
    )
    times = int(body.get("releases", "1"))
    if "release" in body:
        names, what = ["Adversary", "assess"], repr(body["release"]["file"])
    else:
        (made,) = (name for name, needs in PARAMETERS.items() if body.keys() & NEEDED == {*needs})
        values = ", ".join(f"{name}={float(body[name])!r}" for name in PARAMETERS[made])
        names = sorted(["Adversary", CLASSES[made], "assess"])
        what = f"{CLASSES[made]}({values}, neighbors={body['neighbors']!r})"
    lines = [f"from dprisk import {', '.join(names)}"]
    if times > 1:
        lines.append("from dprisk.composition.analysis import Analysis")
        what = f"Analysis.of({what}, {times})"
    return "\n".join([*lines, "", f"assess({what}, {adversary}).to_dict()"])


def _python_budget(body: Mapping[str, Any], answer: Mapping[str, Any]) -> str:
    sure = f"confidence={float(body['confidence'])!r}" if "confidence" in body else ""
    if "profile" in body:
        names = ["ProfileLimit", "budgets", "read_profile"]
        inside = [f"read_profile({body['profile']['file']!r})", sure]
    else:
        metric, value = body["limit"][0].split("=")
        of_test = metric == "power"
        names = ["AttackLimit" if of_test else "InformedLimit", "budgets"]
        at = {"level": body["level"][0]} if of_test else {"prior": body.get("prior", [None])[0]}
        inside = [f"{metric!r}, {float(value)!r}"]
        inside += [f"{name}={float(text)!r}" for name, text in at.items() if text is not None]
        inside += ["" if of_test else sure, f"secret={body['secret']!r}"]
    limit = f"{names[0]}({', '.join(filter(None, inside))})"
    more = [f"neighbors={body['neighbors']!r}"]
    more += [f"releases={int(body['releases'])}"] if "releases" in body else []
    more += [f"people={int(body['people'])}"] if "people" in body else []
    more += [f"sensitivity={float(body['sensitivity'])!r}"] if "sensitivity" in body else []
    return "\n".join(
        [
            f"from dprisk.budget import {', '.join(names)}",
            "",
            f"budgets([{limit}], {', '.join(more)}).to_dict()",
        ]
    )
