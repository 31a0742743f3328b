"""Checkpoints: the forms of C2SP, keys of two forms, and nothing that was changed passes."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives import serialization as ser
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from dprisk.errors import InvalidFile, InvalidInput
from dprisk.ledger.checkpoints import (
    Checkpoint,
    checkpoint_of,
    read_checkpoint,
    write_checkpoint,
)
from tests.ledger.entries import following

POINT = Checkpoint("example.org/2026", 12, hashlib.sha256(b"x").hexdigest())
PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


@pytest.fixture
def keys(tmp_path):
    """The files of one pair of keys: PEM, and the form of a signed note."""
    plain = ser.NoEncryption()
    own = PRIVATE.private_bytes(ser.Encoding.PEM, ser.PrivateFormat.PKCS8, plain)
    public = PRIVATE.public_key().public_bytes(
        ser.Encoding.PEM, ser.PublicFormat.SubjectPublicKeyInfo
    )
    raw = b"\x01" + PRIVATE.public_key().public_bytes_raw()
    id_ = hashlib.sha256(b"example.org/2026\n" + raw).digest()[:4].hex()
    files = {
        "pem": own,
        "pem.pub": public,
        "note": f"PRIVATE+KEY+example.org/2026+{id_}+"
        f"{base64.b64encode(bytes([1, *range(32)])).decode()}\n".encode(),
        "note.pub": f"example.org/2026+{id_}+{base64.b64encode(raw).decode()}\n".encode(),
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


def test_of_entries():
    first = following(None)
    second = following(first)
    assert checkpoint_of([]) == Checkpoint("", 0, "0" * 64)
    assert checkpoint_of([first, second]) == Checkpoint("example.org/2026", 2, second.hash)


def test_the_text_of_a_note_of_go():
    """The example of golang.org/x/mod/sumdb/note: a key and a signature that its tools made."""
    verifier = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
    name, digest, encoded = verifier.split("+", 2)
    raw = base64.b64decode(encoded)
    assert hashlib.sha256(name.encode() + b"\n" + raw).hexdigest()[:8] == digest


@pytest.mark.parametrize("rest", ["", "one line more\nand another\n"])
def test_what_is_written_is_read(tmp_path, rest):
    point = replace(POINT, rest=rest)
    write_checkpoint(point, tmp_path / "c")
    assert read_checkpoint(tmp_path / "c") == point
    lines = (tmp_path / "c").read_text().split("\n")
    assert lines[:2] == ["example.org/2026", "12"]
    assert base64.b64decode(lines[2]).hex() == POINT.root


@pytest.mark.parametrize("private", ["pem", "note"])
@pytest.mark.parametrize("public", ["pem.pub", "note.pub"])
def test_signed_as_the_standard_says(keys, private, public):
    signed = POINT.signed(keys / private)
    write_checkpoint(signed, keys / "c")
    body, _, line = (keys / "c").read_text().partition("\n\n")
    dash, name, encoded = line.rstrip("\n").split(" ")
    raw = base64.b64decode(encoded)
    key = PRIVATE.public_key()
    own = hashlib.sha256(b"example.org/2026\n\x01" + key.public_bytes_raw()).digest()[:4]
    assert (dash, name, raw[:4]) == ("\u2014", "example.org/2026", own)
    key.verify(raw[4:], f"{body}\n".encode())
    assert read_checkpoint(keys / "c", keys / public).signed_by == "example.org/2026"


def test_signed_by_two(keys):
    both = POINT.signed(keys / "pem", "a").signed(keys / "pem", "b")
    write_checkpoint(both, keys / "c")
    assert read_checkpoint(keys / "c", keys / "pem.pub", "a").signed_by == "a"
    with pytest.raises(InvalidFile, match="not signed by c"):
        read_checkpoint(keys / "c", keys / "pem.pub", "c")


def test_each_changed_sign_of_what_is_signed_is_noticed(keys):
    write_checkpoint(POINT.signed(keys / "note"), keys / "c")
    whole = (keys / "c").read_bytes()
    for i in range(len(whole) - 1):
        (keys / "d").write_bytes(whole[:i] + bytes([whole[i] ^ 1]) + whole[i + 1 :])
        with pytest.raises(InvalidFile):
            read_checkpoint(keys / "d", keys / "note.pub")


def test_an_unsigned_one_does_not_pass_for_a_signed_one(keys):
    write_checkpoint(POINT, keys / "c")
    with pytest.raises(InvalidFile, match=r"not signed by example\.org/2026"):
        read_checkpoint(keys / "c", keys / "note.pub")


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
        "short": b"PRIVATE+KEY+a+00000000+AQ==",
        "wrong id": (keys / "note").read_bytes().replace(b"2026+", b"2027+"),
        "public": (keys / "note.pub").read_bytes(),
    }
    for name, content in bad.items():
        (keys / name).write_bytes(content)
        with pytest.raises(InvalidFile, match="not a readable Ed25519 private key"):
            POINT.signed(keys / name)
    write_checkpoint(POINT.signed(keys / "pem"), keys / "c")
    for name in ("pem", "note", "text"):
        with pytest.raises(InvalidFile, match="not an Ed25519 public key"):
            read_checkpoint(keys / "c", keys / name)


@pytest.mark.parametrize("name", ["two words", "a+b"])
def test_a_name_that_no_note_can_carry(keys, name):
    with pytest.raises(InvalidInput, match="without spaces or plus signs"):
        POINT.signed(keys / "pem", name)
