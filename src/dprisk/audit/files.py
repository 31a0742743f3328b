"""Files of an audit: tables of probabilities, pairs of neighbors, outputs of two runs."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from dprisk._files import cells, read_text, regular
from dprisk.audit.finite import FiniteMechanism
from dprisk.audit.growth import as_fraction
from dprisk.errors import InvalidFile, InvalidInput, refused

LARGEST: Final = 1_000_000_000  # bytes
OTHERS: Final = (".yaml", ".yml", ".toml", ".parquet", ".xlsx", ".xls", ".ods", ".html", ".pdf")
KEYS: Final = ("datasets", "outputs", "probabilities")


def read_mechanism(path: str | os.PathLike[str], *, normalize: bool = False) -> FiniteMechanism:
    """A finite mechanism from a file.

    Parameters
    ----------
    path : str or path
        CSV: a line for each dataset, beginning with its label, below a line with the labels of the
        outputs; or numbers only. JSON: a mapping from dataset to a mapping from output to
        probability, or a mapping with ``probabilities`` (rows) and, if they have labels,
        ``datasets`` and ``outputs``. Probabilities are decimals or fractions ("1/3").
    normalize : bool
        Divide each row by its sum, whatever that is.

    Returns
    -------
    FiniteMechanism
        What was written is kept, so that exact arithmetic sees no rounding.

    Raises
    ------
    InvalidFile
        If it cannot be read, or is no table of probabilities; the message names the place.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from dprisk.audit import read_mechanism
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "coin.csv"
    ...     _ = path.write_text("dataset,heads,tails\\nno,3/4,1/4\\nyes,1/4,3/4\\n")
    ...     read_mechanism(path).outputs
    ('heads', 'tails')
    """
    text = _text(path)
    try:
        if Path(path).suffix.lower() == ".json":
            return _of_json(path, text, normalize)
        return _of_csv(path, text, normalize)
    except InvalidInput as error:
        raise InvalidFile(os.fspath(path), str(error)) from None


def read_edges(path: str | os.PathLike[str]) -> list[tuple[str, str]]:
    """Pairs of neighbors from a CSV file: two labels of datasets on each line.

    Parameters
    ----------
    path : str or path
        The file; a first line that reads ``first,second`` is a heading.

    Returns
    -------
    list of (str, str)
        In the order of the file.

    Raises
    ------
    InvalidFile
        If it cannot be read, or a line does not have two labels.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from dprisk.audit import read_edges
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "edges.csv"
    ...     _ = path.write_text("first,second\\n00,01\\n01,11\\n")
    ...     read_edges(path)
    [('00', '01'), ('01', '11')]
    """
    pairs = _two(path, "Write two labels of datasets, such as a,b.")
    if pairs and tuple(word.lower() for word in pairs[0]) == ("first", "second"):
        pairs = pairs[1:]
    return pairs


def read_samples(path: str | os.PathLike[str]) -> tuple[list[str], list[str], tuple[str, str]]:
    """Outputs of two runs from a CSV file with two columns, one for each dataset.

    Parameters
    ----------
    path : str or path
        The file. A heading names the datasets; where both its cells are numbers, it is none. A cell
        is empty where one run has fewer outputs.

    Returns
    -------
    tuple of (list of str, list of str, (str, str))
        The outputs on the first and on the second dataset, and what the datasets are called.

    Raises
    ------
    InvalidFile
        If it cannot be read, or a line does not have two cells.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from dprisk.audit import read_samples
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "runs.csv"
    ...     _ = path.write_text("with,without\\n3,2\\n4,\\n")
    ...     read_samples(path)
    (['3', '4'], ['2'], ('with', 'without'))
    """
    rows = _two(path, "Write one output of each run, such as 3.2,2.9.")
    names = ("first", "second")
    if rows and not all(map(_is_number, rows[0])):
        names, *rows = rows
    columns = zip(*rows, strict=True) if rows else ((), ())
    first, second = ([cell for cell in run if cell != ""] for run in columns)
    return first, second, names


def _text(path: str | os.PathLike[str]) -> str:
    regular(path)
    ending = Path(path).suffix.lower()
    if ending in OTHERS:
        raise InvalidFile(
            os.fspath(path),
            f"Its name ends in {ending!r}, which is not a format that an audit reads.",
            "An audit reads .csv, or .json for a mechanism.",
        )
    return read_text(path, LARGEST)


def _two(path: str | os.PathLike[str], fix: str) -> list[tuple[str, str]]:
    """The cells of a file with two on each line."""
    rows = cells(path, _text(path))
    for number, row in rows:
        if len(row) != 2:
            where = f"line {number}"
            raise InvalidFile(path, f"It has {len(row)} cells.", fix, where)
    return [(row[0], row[1]) for _, row in rows]


def _of_csv(path: str | os.PathLike[str], text: str, normalize: bool) -> FiniteMechanism:
    rows = cells(path, text)
    if not rows:
        raise InvalidFile(os.fspath(path), "It is empty.", "Write a line for each dataset.")
    width = len(rows[0][1])
    for number, row in rows:
        if len(row) != width:
            where = f"line {number}"
            problem = f"It has {len(row)} cells, and the first line has {width}."
            raise InvalidFile(path, problem, "Fill the gap.", where)
    table = [row for _, row in rows]
    if _is_number(table[0][0]):
        return FiniteMechanism(table, normalize=normalize)
    return FiniteMechanism(
        [row[1:] for row in table[1:]],
        datasets=[row[0] for row in table[1:]],
        outputs=table[0][1:],
        normalize=normalize,
    )


def _of_json(path: str | os.PathLike[str], text: str, normalize: bool) -> FiniteMechanism:
    shown = os.fspath(path)
    try:
        data = json.loads(text, parse_float=str, parse_int=str, object_pairs_hook=_once)
    except (json.JSONDecodeError, RecursionError) as error:
        raise InvalidFile(shown, f"This is not valid JSON: {error}.", "Check the commas.") from None
    if not isinstance(data, Mapping):
        raise InvalidFile(
            shown,
            "It is not a mapping.",
            "Write a mapping from dataset to a mapping from output to probability.",
        )
    if "probabilities" not in data:
        return FiniteMechanism(data, normalize=normalize)
    extra = [key for key in data if key not in KEYS]
    if extra:
        raise refused("errors.one-of", "a key", extra[0], choices=", ".join(KEYS))
    labels: dict[str, Any] = {name: data.get(name) for name in KEYS[:2]}
    return FiniteMechanism(data["probabilities"], normalize=normalize, **labels)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A mapping; a key that comes twice would otherwise hide the first."""
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for n, name in enumerate(names) if name in names[:n])
        raise InvalidInput("a label", twice, "given once")
    return found


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return as_fraction(cell) is not None
    return True
