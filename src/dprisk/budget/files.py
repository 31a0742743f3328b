"""Risk profiles as files: YAML, TOML or JSON in, YAML or JSON out."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dprisk._files import write
from dprisk.budget.attacks import CounterfactualLimit, PowerLimit
from dprisk.budget.boxes import DifferenceLimit, OddsLimit, PosteriorLimit, RatioLimit
from dprisk.budget.combining import AllOf, AnyOf
from dprisk.budget.profile import Profile
from dprisk.budget.tables import RatioTable
from dprisk.errors import refused, unreadable


def read_profile(path: str | os.PathLike[str]) -> Profile:
    """Read the risk profile that a file describes.

    Parameters
    ----------
    path : str or path
        A YAML, TOML or JSON file with the keys ``dprisk`` and ``profile``.

    Returns
    -------
    Profile
        One limit, a table, or several of them.

    Raises
    ------
    InvalidFile
        If the file cannot be read as a profile; the message says where, why and what to do.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from dprisk.budget import read_profile, solve
    >>> text = '''
    ... dprisk: 1
    ... name: Clinic counts
    ... profile:
    ...   any_of:
    ...     - {posterior: 0.25, value_prior: 1}
    ...     - {ratio: 3, value_prior: 1}
    ... '''
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "clinic.yaml"
    ...     size = path.write_text(text)
    ...     profile = read_profile(path)
    >>> round(solve(profile).epsilon.value, 4)
    1.2993
    """
    from dprisk.releases.loading import documents, read_text

    shown, text = os.fspath(path), read_text(path)
    if not text.strip():
        raise unreadable(shown, "budget.file.empty")
    trees = documents(path, text)
    if len(trees) > 1:
        raise unreadable(shown, "budget.file.documents", count=len(trees))
    tree = trees[0]
    if not isinstance(tree, Mapping):
        raise unreadable(shown, "budget.file.whole")
    from dprisk.budget.model import checked

    return checked(tree, shown)


def write_profile(
    profile: Profile, path: str | os.PathLike[str], name: str = "", *, force: bool = False
) -> None:
    """Write a risk profile to a file, so that `read_profile` gives the same profile back.

    Parameters
    ----------
    profile : Profile
        What to write; a function of Python cannot be.
    path : str or path
        Where to write it: a name that ends in .yaml, .yml or .json.
    name : str
        What the profile is for, in words.
    force : bool
        Whether a file that is there may be replaced.

    Raises
    ------
    InvalidInput
        If a file cannot hold the profile.
    InvalidFile
        If no file can be written there, or its ending is not one of the three.
    NotWritten
        If writing fails; what was there is whole.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from dprisk.budget import RatioLimit, read_profile, write_profile
    >>> profile = RatioLimit(3.0, membership_prior=(0.0, 0.1))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "profile.json"
    ...     write_profile(profile, path)
    ...     read_profile(path) == profile
    True
    """
    suffix = Path(path).suffix.lower()
    if suffix not in (".yaml", ".yml", ".json"):
        raise unreadable(os.fspath(path), "budget.file.ending", suffix=repr(suffix))
    tree = {"dprisk": 1, **({"name": name} if name else {}), "profile": profile_tree(profile)}
    if suffix == ".json":
        text = json.dumps(tree, indent=2, allow_nan=False) + "\n"
    else:
        import yaml

        text = yaml.safe_dump(tree, sort_keys=False, allow_unicode=True, width=96)
    write(path, text.encode(), force=force)


def profile_tree(profile: Profile) -> dict[str, Any]:
    """A profile as plain data, in the keys of a file; an infinite ratio is the text ``inf``."""
    if isinstance(profile, (AnyOf, AllOf)):
        name = "any_of" if isinstance(profile, AnyOf) else "all_of"
        return {name: [profile_tree(each) for each in profile.profiles]}
    if isinstance(profile, RatioTable):
        rows = [[_plain(number) for number in row] for row in profile.rows]
        return {"table": rows, "between": profile.between}
    if isinstance(profile, PowerLimit):
        return {"power": profile.power_limit, "level": profile.level}
    if isinstance(profile, CounterfactualLimit):
        return {"counterfactual": _plain(profile.ratio_limit)}
    for name, kind in SIMPLE.items():
        if isinstance(profile, kind):
            return {name: _plain(getattr(profile, f"{name}_limit")), **_priors(profile)}
    raise refused("budget.file.written", "profile", profile)


SIMPLE: dict[str, Any] = {
    "ratio": RatioLimit,
    "posterior": PosteriorLimit,
    "odds": OddsLimit,
    "difference": DifferenceLimit,
}


def _plain(number: float) -> float | str:
    return number if math.isfinite(number) else "inf"


def _priors(profile: Any) -> dict[str, Any]:
    found = {}
    for name in ("membership_prior", "value_prior"):
        low, high = getattr(profile, name)
        if (low, high) != (0.0, 1.0):
            found[name] = low if low == high else [low, high]
    return found
