"""Saved files of PyTorch, read without PyTorch and without running what they name."""

from __future__ import annotations

import io
import os
import pickle
import zipfile
from collections import OrderedDict

import numpy as np
import pytest

from dprisk.errors import InvalidFile
from dprisk.releases.tools import pickles
from dprisk.releases.tools.pickles import Opaque, plain, saved
from tests.releases.tools_samples import state, zipped

NAME = "accountant.pt"


def refused(raw, match):
    with pytest.raises(InvalidFile, match=match) as caught:
        saved(io.BytesIO(raw), NAME)
    assert caught.value.fix
    return caught.value


class Calls:
    """Something whose pickle names a function to call; it is harmless."""

    def __reduce__(self):
        return os.getcwd, ()


@pytest.mark.parametrize("protocol", range(2, 6))
@pytest.mark.parametrize(
    "value",
    [
        state((1.1, 0.01, 5000)),
        {"a": [1, -3, 2**40, 2**100, 1.5, float("inf"), None, True, False, "ü", b"ab", (), (1,)]},
        {"deep": {"er": [[1, 2], (3, (4, 5), 6, 7)]}, 3: "three", None: {}},
        [1] * 2000,
    ],
)
def test_plain_values_are_those_that_were_saved(value, protocol):
    assert plain(pickle.dumps(value, protocol=protocol), NAME) == value


def test_what_stands_twice_is_one_thing():
    shared = [1.1, 0.01]
    assert plain(pickle.dumps({"a": shared, "b": shared}), NAME) == {"a": shared, "b": shared}


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i4"])
def test_single_numbers_of_numpy_are_numbers(dtype):
    value = np.dtype(dtype).type(3)
    for protocol in (2, 4):
        assert plain(pickle.dumps([value], protocol=protocol), NAME) == [3]


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_zip_file_is_opened(compression):
    kept = state((1.1, 0.01, 5000))
    assert saved(io.BytesIO(zipped(kept, compression=compression)), NAME) == kept
    assert saved(io.BytesIO(pickle.dumps(kept)), NAME) == kept


def test_a_tensor_is_named_and_not_made():
    stored = b"(U\x07storagectorch\nFloatStorage\nU\x010U\x03cpuK\x02tQ"
    shape = b"K\x00K\x02\x85K\x01\x85\x89ccollections\nOrderedDict\n)RtR."
    raw = b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n(" + stored + shape
    assert plain(raw, NAME) == Opaque("torch._utils._rebuild_tensor_v2")


def test_nothing_is_called_and_no_class_is_made():
    where = os.getcwd()
    error = refused(zipped({"a": Calls()}), "getcwd.*no plain value")
    assert "state_dict" in error.fix and "Nothing in it was run" in error.fix
    refused(pickle.dumps(Opaque("x")), "Opaque.*no plain value")
    assert os.getcwd() == where


def test_only_a_fixed_list_of_names_is_known():
    assert all(
        name.startswith(("torch", "numpy", "collections", "_codecs", "builtins", "__b"))
        for name in pickles.NAMES
    )
    refused(pickle.dumps(complex), "builtins.complex")
    refused(pickle.dumps(range(3)), "builtins.range")


def test_other_instructions_are_refused():
    refused(b"\x80\x02}\x82\x01.", "EXT1")
    refused(b"\x80\x05\x97.", "NEXT_BUFFER")


@pytest.mark.parametrize("length", [0, 1, 3, 20, 60, 90])
def test_a_file_that_is_cut_off(length):
    refused(zipped(state((1.1, 0.01, 5000)))[:length], "cut off|other bytes|empty")
    if length:
        refused(pickle.dumps(state((1.1, 0.01, 5000)))[:length], "cut off|other bytes")


def test_every_byte_may_be_damaged():
    raw = zipped(state((1.1, 0.01, 5000)))
    for at in range(len(raw)):
        broken = bytearray(raw)
        broken[at] ^= 0x55
        try:
            saved(io.BytesIO(bytes(broken)), NAME)
        except InvalidFile as error:
            assert error.fix


def test_foreign_files():
    refused(b"\x89PNG\r\n", "other bytes")
    refused(zipped(b"", name="other.txt"), "no data.pkl")
    old = pickle.dumps(0x1950A86A20F9469CFC6C, protocol=2) + pickle.dumps(1001, protocol=2)
    refused(old, "before version 1.6")


def test_what_unpacks_to_too_much(monkeypatch):
    long = zipped(b"\x80\x02" + b"]" * 9_000_000, compression=zipfile.ZIP_DEFLATED)
    assert len(long) < 100_000
    refused(long, "longer than 8 MB")
    monkeypatch.setattr(pickles, "MOST_INSTRUCTIONS", 100)
    refused(zipped([1] * 200), "too many instructions")
    monkeypatch.setattr(pickles, "LARGEST_DIRECTORY", 10)
    refused(zipped([1]), "table of contents")


def test_nested_without_end():
    raw = b"\x80\x02" + b"]" * 100_000 + b"a" * 99_999 + b"."
    assert isinstance(plain(raw, NAME), list)


@pytest.mark.parametrize("made", [OrderedDict, dict])
def test_a_mapping_made_of_pairs(made):
    raw = b"\x80\x02ccollections\nOrderedDict\n]]X\x01\x00\x00\x00aK\x01e\x85R."
    with pytest.raises(InvalidFile):
        plain(raw, NAME)
    assert plain(pickle.dumps(made(a=1), protocol=2), NAME) == {"a": 1}
