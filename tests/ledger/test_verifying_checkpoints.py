"""Checkpoints: the forms of C2SP, keys, and nothing that was changed passes."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives import serialization as ser
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from dprisk.errors import InvalidFile
from dprisk.ledger.copies.verifying import (
    Checkpoint,
    read_checkpoint,
    write_checkpoint,
)
from tests.ledger.entries import following
from torture.working import checkpoint_of

POINT = Checkpoint("example.org/2026", 12, hashlib.sha256(b"x").hexdigest())
PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


@pytest.fixture
def keys(tmp_path):
    """The files of one pair of keys."""
    plain = ser.NoEncryption()
    own = PRIVATE.private_bytes(ser.Encoding.PEM, ser.PrivateFormat.PKCS8, plain)
    public = PRIVATE.public_key().public_bytes(
        ser.Encoding.PEM, ser.PublicFormat.SubjectPublicKeyInfo
    )
    (tmp_path / "pem").write_bytes(own)
    (tmp_path / "pem.pub").write_bytes(public)
    return tmp_path


def test_of_entries():
    first = following(None)
    second = following(first)
    assert checkpoint_of([]) == Checkpoint("", 0, "0" * 64)
    assert checkpoint_of([first, second]) == Checkpoint("example.org/2026", 2, second.hash)


@pytest.mark.parametrize("rest", ["", "one line more\nand another\n"])
def test_what_is_written_is_read(tmp_path, rest):
    point = replace(POINT, rest=rest)
    write_checkpoint(point, tmp_path / "c")
    assert read_checkpoint(tmp_path / "c") == point
    lines = (tmp_path / "c").read_text().split("\n")
    assert lines[:2] == ["example.org/2026", "12"]
    assert base64.b64decode(lines[2]).hex() == POINT.root


def test_signed_as_the_standard_says(keys):
    signed = POINT.signed(keys / "pem")
    write_checkpoint(signed, keys / "c")
    body, _, line = (keys / "c").read_text().partition("\n\n")
    dash, name, encoded = line.rstrip("\n").split(" ")
    raw = base64.b64decode(encoded)
    key = PRIVATE.public_key()
    own = hashlib.sha256(b"example.org/2026\n\x01" + key.public_bytes_raw()).digest()[:4]
    assert (dash, name, raw[:4]) == ("\u2014", "example.org/2026", own)
    key.verify(raw[4:], f"{body}\n".encode())
    assert read_checkpoint(keys / "c", keys / "pem.pub").signed_by == "example.org/2026"


def test_a_signature_of_another_stands_beside_ours(keys):
    other = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33))).private_bytes(
        ser.Encoding.PEM, ser.PrivateFormat.PKCS8, ser.NoEncryption()
    )
    (keys / "other").write_bytes(other)
    write_checkpoint(POINT.signed(keys / "other").signed(keys / "pem"), keys / "c")
    assert read_checkpoint(keys / "c", keys / "pem.pub").signed_by == "example.org/2026"


def test_an_origin_with_blanks_signs_without_them(keys):
    signed = replace(POINT, origin="Statistics  Office + Co").signed(keys / "pem")
    write_checkpoint(signed, keys / "c")
    assert read_checkpoint(keys / "c", keys / "pem.pub").signed_by == "Statistics-Office-Co"


def test_each_changed_sign_of_what_is_signed_is_noticed(keys):
    write_checkpoint(POINT.signed(keys / "pem"), keys / "c")
    whole = (keys / "c").read_bytes()
    for i in range(len(whole) - 1):
        (keys / "d").write_bytes(whole[:i] + bytes([whole[i] ^ 1]) + whole[i + 1 :])
        with pytest.raises(InvalidFile):
            read_checkpoint(keys / "d", keys / "pem.pub")


def test_an_unsigned_one_does_not_pass_for_a_signed_one(keys):
    write_checkpoint(POINT, keys / "c")
    with pytest.raises(InvalidFile, match=r"not signed by example\.org/2026"):
        read_checkpoint(keys / "c", keys / "pem.pub")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a\n1\n",
        f"a\n01\n{'A' * 43}=\n",
        f"a\n-1\n{'A' * 43}=\n",
        f"a\n1\n{'A' * 42}==\n",
        f"a\n1\n{'A' * 43}=",
        f"\n1\n{'A' * 43}=\n",
        f"a\r\n1\r\n{'A' * 43}=\r\n",
        f"a\n1\n{'A' * 43}=\n\nsigned: me\n",
        f"a\n1\n{'A' * 43}=\n\n— a+b AAAA\n",
    ],
)
def test_what_is_no_checkpoint(tmp_path, text):
    (tmp_path / "c").write_bytes(text.encode())
    with pytest.raises(InvalidFile, match="not a checkpoint"):
        read_checkpoint(tmp_path / "c")


def test_bad_keys(keys):
    other = ec.generate_private_key(ec.SECP256R1())
    locked = ser.BestAvailableEncryption(b"x")
    bad = {
        "text": b"hello",
        "other": other.private_bytes(ser.Encoding.PEM, ser.PrivateFormat.PKCS8, ser.NoEncryption()),
        "locked": PRIVATE.private_bytes(ser.Encoding.PEM, ser.PrivateFormat.PKCS8, locked),
        "public": (keys / "pem.pub").read_bytes(),
    }
    for name, content in bad.items():
        (keys / name).write_bytes(content)
        with pytest.raises(InvalidFile, match="not a readable Ed25519 private key"):
            POINT.signed(keys / name)
    write_checkpoint(POINT.signed(keys / "pem"), keys / "c")
    for name in ("pem", "text"):
        with pytest.raises(InvalidFile, match="not an Ed25519 public key"):
            read_checkpoint(keys / "c", keys / name)
