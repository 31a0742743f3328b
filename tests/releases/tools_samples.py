"""Small files as other tools save them, written by the tests."""

from __future__ import annotations

import io
import json
import pickle
import zipfile
from collections import OrderedDict

from dprisk import compose
from tests.releases.samples import SHARED

TOOLS = SHARED / "data" / "tools"
READINGS = TOOLS / "more" / "readings.json"


def state(*history, mechanism="rdp"):
    """The state of an accountant of Opacus."""
    return OrderedDict(history=list(history), mechanism=mechanism)


def zipped(what, name="archive/data.pkl", compression=zipfile.ZIP_STORED):
    """The bytes of a file as torch.save writes it, of what pickle can say."""
    raw = what if isinstance(what, bytes) else pickle.dumps(what, protocol=2)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        archive.writestr(name, raw)
        archive.writestr("archive/version", "3\n")
    return file.getvalue()


def put(folder, name, what):
    """A file with bytes, text, or JSON of anything else."""
    path = folder / name
    raw = what if isinstance(what, bytes | str) else json.dumps(what)
    path.write_bytes(raw if isinstance(raw, bytes) else raw.encode())
    return path


def together(release):
    """What all parts of a release add up to."""
    parts = release.parts
    return compose(
        [part.mechanism or part.guarantee for part in parts], [part.count for part in parts]
    ).guarantee


def run(release):
    """What was run or promised, and how often."""
    return [(part.mechanism or part.guarantee, part.count) for part in release.parts]
