"""The page in one file: what it says, what was published, and the script that computes."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from importlib.resources import files
from typing import Any, Final, NamedTuple

from dprisk import _files, _pages
from dprisk._asking.parameters import LIMIT, words
from dprisk.documents.rendering import can_print
from dprisk.progress import each
from dprisk.text import LANGUAGES, Language, fill, language, texts
from dprisk.web.questions import QUESTIONS, is_file, takes

ROOM: Final = "dprisk.web"
SCRIPTS: Final = (
    "engine.js",
    "profile.js",
    "words.js",
    "noise.js",
    "pictures.js",
    "state.js",
    "commands.js",
    "view.js",
    "form.js",
)
WAYS: Final = ("promise", "release", "budget", "compare")
UNITS: Final = ("person", "household", "user-day", "event")
LEVELS: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5)
CONFIDENCES: Final = (0.9, 0.95, 0.99, 0.999, 0.9999)
PRIOR: Final = 0.1
CONCERNS: Final = (
    ("block within block group",),
    ("block within tract",),
    ("race",),
    ("ethnicity",),
    ("voting age",),
    ("group quarters",),
    ("race", "block within tract"),
    (),
)
"""Worries somebody may have about the 2020 Census; the empty one is about everything."""
HEADLINE: Final = (
    *(f"headline.{name}" for name in ("before", "after", "nearly-all", "same")),
    *(f"{end}.{kind}" for end in ("least", "most") for kind in ("number", "top", "bottom")),
    *("ends", "open.both", "open.most", "someone", "start.always", "start.mostly"),
)
"""The texts of the headline, which the command line says as well."""


def whole_page() -> str:
    """One HTML file in which somebody can move a promise and see what follows for a person.

    Returns
    -------
    str
        Style, script and the published releases inside; nothing is fetched and nothing is kept.
        Takes some seconds: the published releases are assessed (see `dprisk.progress`).

    Examples
    --------
    >>> from dprisk.web import whole_page
    >>> page = whole_page()
    >>> len(page) < 1_000_000
    True
    """
    return _made()


def served(given: bytes) -> tuple[str, bytes]:
    """The page as a server shows it: with what only a server can answer; a task of workers."""
    ledger = json.loads(given)
    return "text/html", _made(Panel(ledger is not None, bool(ledger and ledger[1]))).encode()


class Panel(NamedTuple):
    """The questions that a served page asks the server."""

    ledger: bool
    write: bool

    def tables(self) -> dict[str, Any]:
        """The table of parameters of each question."""
        if not self.ledger:
            return QUESTIONS
        from dprisk.web.ledgers import AskLedger

        return {**QUESTIONS, "ledger": AskLedger}

    def questions(self) -> dict[str, list[FormField]]:
        """The fields of each question, made of its table of parameters."""
        left_out = () if self.write else ("charge", "by")
        return {
            name: [one for one in _fields(table) if one.name not in left_out or name != "ledger"]
            for name, table in self.tables().items()
        }


class FormField(NamedTuple):
    """One field of a form."""

    name: str
    kind: str
    many: bool
    default: str
    help: str
    choices: tuple[str, ...]


def _fields(table: Any) -> list[FormField]:
    found = []
    for name, one in takes(table).items():
        kind = "file" if is_file(name, one) else ("text" if one.stands else "flag")
        kind = "limits" if name == "parameters" or one.stands == LIMIT else kind
        module, _, values = one.option.choices.partition(":")
        known = getattr(import_module(f"dprisk.{module}"), values) if module else ()
        choices = tuple(known() if callable(known) else known)
        default = one.default if isinstance(one.default, str) else ""
        found.append(FormField(name, kind, one.many, default, one.option.help, choices))
    return found


def _made(panel: Panel | None = None) -> str:
    from dprisk import __version__

    script = _script() if panel is None else f"{_script()}\n{_part('panel.js')}"
    digest = hashlib.sha256(script.encode()).digest()
    published = [*_published(), *_census()]
    return _pages.page(
        ROOM,
        "page.html.j2",
        say=fill,
        version=__version__,
        skip=fill("page.skip"),
        allowed=f"'sha256-{base64.b64encode(digest).decode()}'",
        checksum=digest.hex()[:16],
        script=_pages.pasted(script),
        texts={name: _texts(name) for name in LANGUAGES},
        languages=LANGUAGES,
        unscripted=_unscripted(),
        ways=WAYS,
        kinds=_options("kind", "pure", "approximate", "concentrated", "gaussian"),
        neighbors=_options("neighbors", "add-remove", "replace-one"),
        units=_options("unit", *UNITS),
        rules=_options("rule", "points", "profile"),
        covered=_options("covered", "every", "membership", "value", "both"),
        secrets=_options("secret", "membership", "attribute"),
        headed=fill("page.table.from", before=fill("page.say.of", count=10, of=100)),
        published=published,
        panel=panel,
        about={} if panel is None else {n: words(one) for n, one in panel.tables().items()},
        pdf=panel is not None and can_print(),
    )


def save_page(path: _files.Name, *, force: bool = False) -> None:
    """Write the page to a file, whole or not at all.

    Parameters
    ----------
    path : str or path
        Where to.
    force : bool
        Whether a file that is there is replaced.

    Raises
    ------
    InvalidFile
        If something is there already, or the place cannot be written to.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from dprisk.web import save_page
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_page(pathlib.Path(folder, "dprisk.html"))
    """
    _files.check_places([path], force=force)
    _files.write(path, whole_page().encode(), force=force)


@cache
def _script() -> str:
    """The script of the page: its parts as one."""
    return "\n".join(map(_part, SCRIPTS))


def _part(name: str) -> str:
    return files(ROOM).joinpath("script", name).read_text(encoding="utf-8")


def _unscripted() -> list[tuple[str, str]]:
    """The notice where scripts are off, in every language that has words for it."""
    key = "page.noscript"
    return [(name, said) for name in LANGUAGES if (said := texts(name, "page").get(key))]


def _texts(name: Language) -> dict[str, str]:
    """All that the script says, in a language; what it lacks in English."""
    explained = {**texts("en", "explain"), **texts(name, "explain")}
    headline = {f"page.{key}": explained[key] for key in HEADLINE}
    with language(name):
        return {**texts("en", "page"), **texts(name, "page"), **headline, **_units()}


def _units() -> dict[str, str]:
    """Who knows what and asks what, for each privacy unit, in one release and in several."""
    from dprisk import PureDP
    from dprisk.documents.saying import claimed, known
    from dprisk.releases import Release

    found = {}
    for unit in UNITS:
        one = Release.of(PureDP(1.0, neighbors="add-remove"), unit=unit)
        for often, release in (("one", one), ("several", replace(one, releases=2))):
            found[f"page.known.{unit}.{often}"] = known(release)
            for secret in ("membership", "attribute"):
                found[f"page.claim.{secret}.{unit}.{often}"] = claimed(secret, release)
    return found


def _options(group: str, *names: str) -> list[tuple[str, str]]:
    return [(name, fill(f"page.{group}.{name}")) for name in names]


@cache
def _published() -> tuple[dict[str, Any], ...]:
    """The shipped deployments that promise something, each with certified bounds."""
    from dprisk.releases import comparable, deployments

    shown = sorted(deployments(), key=_plain_first)
    alike = [release for group in comparable(shown) for release in group.releases]
    found = [_assessed(release) for release in each("assessing", alike)]
    return tuple(one for one in found if one is not None)


def _plain_first(release: Any) -> tuple[bool, ...]:
    return (
        release.model != "central",
        release.period != "once",
        not release.neighbors_stated,
        bool(release.notes),
    )


def _assessed(release: Any) -> dict[str, Any] | None:
    from dprisk.composition.analysis import natural_secret
    from dprisk.documents.assessing import assess
    from dprisk.documents.promises import about, apart_from, marks, promises
    from dprisk.documents.saying import claimed, known
    from dprisk.risk.adversary import Adversary

    secret = natural_secret(release)
    made = assess(release, Adversary(secret=secret, priors=(PRIOR,)))
    if not made.statements:
        return None
    best, exact = made.basis, release.invariants
    return {
        "key": release.name,
        "name": release.name,
        "curator": release.curator or "",
        "promise": _in_all_languages(lambda: promises(best)),
        "known": _in_all_languages(lambda: known(release)),
        "claim": _in_all_languages(lambda: claimed(secret, release)),
        "about": _in_all_languages(lambda: about(release)),
        "apart": _in_all_languages(lambda: apart_from(exact)) if exact else None,
        "marks": marks(release),
        **{
            name: getattr(release, name) or fill("page.say.unstated")
            for name in ("unit", "period", "model")
        },
        "amount": None,
        "neighbors": release.neighbors,
        **_bounds(best.composed.guarantee, secret, certain=best.confidence is None),
    }


@cache
def _census() -> tuple[dict[str, Any], ...]:
    """Limits on what the noise of the 2020 Census, as it was added, shows about a fact."""
    from dprisk.allocation import census2020, findings

    census = census2020()
    found = []
    for concerns in each("assessing", CONCERNS):
        made = findings(census.exposure(*concerns))
        found.append(
            {
                "key": " and ".join(concerns) or "whole record",
                "concerns": concerns,
                "fact": _in_all_languages(partial(_fact, concerns)),
                "known": _in_all_languages(partial(fill, "knows.person")),
                "amount": f"{float(made.exposure.amount):.4g}",
                "total": f"{float(census.total):.4g}",
                "neighbors": made.guarantee.neighbors,
                **_bounds(made.guarantee, "attribute", certain=False),
            }
        )
    return tuple(found)


def _fact(concerns: tuple[str, ...]) -> str:
    named = [fill(f"page.fact.{_pages.slug(each)}") for each in concerns or ("everything",)]
    return fill("and").join(named)


def _bounds(guarantee: Any, secret: Any, *, certain: bool) -> dict[str, Any]:
    """Upper ends of the loss at every confidence, and of the power at every level."""
    from dprisk.risk import attack
    from dprisk.risk.posterior import disclosure
    from dprisk.text.rounding import bounded, scale

    losses = []
    for confidence in (None,) if certain else CONFIDENCES:
        moved = disclosure(guarantee, confidence=confidence, secret=secret)
        losses.append((confidence, moved.loss.bracket[1]))
        if confidence in (None, 0.99):
            most = float(moved.posterior(PRIOR).upper)
    tests = attack(guarantee, secret=secret)
    powers, gain = tests.power(LEVELS).bracket[1], tests.advantage().bracket[1]
    return {
        "secret": secret,
        "losses": losses,
        "powers": list(zip(LEVELS, powers.tolist(), strict=True)),
        "advantage": float(gain),
        "after": bounded(most, upper=True, of=scale(PRIOR, most)),
    }


def _in_all_languages(say: Callable[[], str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in LANGUAGES:
        with language(name):
            found[name] = say()
    return found
