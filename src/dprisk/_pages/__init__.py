"""Templates into text: everything that comes in is escaped, nothing that comes out fetches."""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from dprisk.text import LANGUAGES, fill, language

if TYPE_CHECKING:
    from jinja2 import Environment


# What ends a script element, opens a comment in it, or is no letter in every reader's eyes.
RISKY = re.compile("[<>&\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
# Half a letter, which UTF-8 cannot hold, and what no page may contain.
UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)

ADDRESS = re.compile(
    r"https?://[^\s<>\"'`]*[^\s<>\"'`.,;:!?()\[\]{}]|arXiv:(?P<arxiv>\d{4}\.\d{4,5})"
)
NUMBER = r"\d[\d.,]*"
EQUALS = "[εδρμ] = "


@lru_cache(maxsize=8)
def press(room: str) -> Environment:
    """The templates of a room, and those that every room shares."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    own, shared = PackageLoader(room), PackageLoader("dprisk._pages")
    environment = Environment(
        loader=ChoiceLoader([own, shared]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_finalized,
    )
    environment.filters["data"] = data
    environment.filters["linked"] = linked
    environment.filters["slug"] = slug
    environment.filters["tight"] = tight
    return environment


def page(room: str, template: str, **values: Any) -> str:
    """One page of a room, from one of its templates."""
    return press(room).get_template(template).render(**values)


def pasted(trusted: str | bytes) -> Any:
    """Markup of our own making, such as a drawing: it is not escaped again."""
    from markupsafe import Markup

    return Markup(trusted if isinstance(trusted, str) else trusted.decode())


def data(tree: Any) -> Any:
    """Plain data for a script element that no browser runs: strict JSON that cannot leave it."""
    text = json.dumps(tree, indent=1, ensure_ascii=False, allow_nan=False)
    return pasted(RISKY.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def linked(text: str) -> Any:
    """Text in which addresses can be followed, by whoever wants to; nothing is fetched."""
    from markupsafe import Markup, escape

    plain, at, pieces = _finalized(text), 0, []
    for found in ADDRESS.finditer(plain):
        address = f"https://arxiv.org/abs/{found['arxiv']}" if found["arxiv"] else found[0]
        link = Markup('<a href="{}" rel="noreferrer">{}</a>').format(address, found[0])
        pieces += [escape(plain[at : found.start()]), link]
        at = found.end()
    return Markup("").join([*pieces, escape(plain[at:])])


def slug(text: str) -> str:
    """A name for a place in a page, from words."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "part"


def tight(text: str) -> str:
    """Keep so many in so many on one line, and so the value of a parameter."""
    return _kept().sub(lambda found: found[0].replace(" ", "\N{NO-BREAK SPACE}"), text)


@cache
def _kept() -> re.Pattern[str]:
    """The pattern of what stays on one line, in every language: a page may hold several."""
    found = [EQUALS]
    for name in LANGUAGES:
        with language(name):
            found.append(fill("of", count=NUMBER, of=NUMBER))
    return re.compile("|".join(found))


def _finalized(value: Any) -> Any:
    """Control characters are written out; what was pasted stays as it is."""
    if hasattr(value, "__html__") or not isinstance(value, str):
        return value
    return UNPRINTABLE.sub(lambda found: ascii(found[0])[1:-1], value)
