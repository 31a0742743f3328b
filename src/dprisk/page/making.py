"""The page in one file: what it says, what was published, and the script that computes."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import Any, Final

from dprisk import _files, _pages
from dprisk.progress import each
from dprisk.text import fill, texts

__all__ = ["save_page", "whole_page"]

ROOM: Final = "dprisk.page"
SCRIPTS: Final = ("engine.js", "view.js")
WAYS: Final = ("promise", "release", "budget", "compare")
LEVELS: Final = (0.01, 0.05, 0.1)
PRIOR: Final = 0.1


def whole_page() -> str:
    """One HTML file in which somebody can move a promise and see what follows for a person.

    Returns
    -------
    str
        Style, script and the published releases inside; nothing is fetched and nothing is kept.
        Takes some seconds: the published releases are assessed (see `dprisk.progress`).

    Examples
    --------
    >>> from dprisk.page import whole_page
    >>> page = whole_page()
    >>> len(page) < 1_000_000
    True
    """
    from dprisk import __version__

    script = _script()
    digest = hashlib.sha256(script.encode()).digest()
    published = _published()
    return _pages.page(
        ROOM,
        "page.html.j2",
        say=fill,
        version=__version__,
        skip=fill("report.page.skip"),
        allowed=f"'sha256-{base64.b64encode(digest).decode()}'",
        checksum=digest.hex()[:16],
        script=_pages.pasted(script),
        texts=dict(texts("en", "page")),
        ways=WAYS,
        kinds=_options("kind", "pure", "approximate", "concentrated", "gaussian"),
        neighbors=_options("neighbors", "add-remove", "replace-one"),
        secrets=_options("secret", "membership", "attribute"),
        names=[(i, f"{one['name']}, {one['curator']}") for i, one in enumerate(published)],
        headed=fill("page.table.from", before=fill("page.say.of", count=10, of=100)),
        published=published,
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
    >>> from dprisk.page import save_page
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_page(pathlib.Path(folder, "dprisk.html"))
    """
    _files.check_places([path], force=force)
    _files.write(path, whole_page().encode(), force=force)


@cache
def _script() -> str:
    """Our own two files, as one."""
    here = files(ROOM)
    return "\n".join(here.joinpath(name).read_text(encoding="utf-8") for name in SCRIPTS)


def _options(group: str, *names: str) -> list[tuple[str, str]]:
    return [(name, fill(f"page.{group}.{name}")) for name in names]


@cache
def _published() -> list[dict[str, Any]]:
    """The shipped deployments that promise something, each with a certified bound on its loss."""
    from dprisk.releases import deployments

    found = [_assessed(release) for release in each("assessing", deployments())]
    return [one for one in found if one is not None]


def _assessed(release: Any) -> dict[str, Any] | None:
    from dprisk.analysis import natural_secret
    from dprisk.assessment import assess
    from dprisk.explain.rounding import chance
    from dprisk.explain.wording import promises
    from dprisk.risk import attack
    from dprisk.risk.adversary import Adversary

    secret = natural_secret(release)
    made = assess(release, Adversary(secret=secret, priors=(PRIOR,)))
    if not made.statements:
        return None
    best = min(made.statements, key=lambda one: float(one.loss))
    powers = attack(best.composed.guarantee, secret=secret).power(LEVELS)
    most = chance(best.find("posterior", PRIOR).upper, upper=True)
    side = "at-most" if most.kind == "number" else ("over" if most.kind == "top" else "under")
    return {
        "name": release.name,
        "curator": release.curator or "",
        "promise": promises(best),
        "unit": release.unit or fill("page.say.unstated"),
        "secret": secret,
        "neighbors": release.neighbors,
        "confidence": best.confidence,
        "loss": best.loss.bracket[1],
        "powers": list(zip(LEVELS, powers.value.tolist(), strict=True)),
        "after": fill(f"page.say.{side}", number=most.shown),
    }
