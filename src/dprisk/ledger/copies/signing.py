"""Keys (Ed25519) of a ledger, and signatures as in C2SP's signed notes.

The library for signatures is imported where one is made or checked, and nowhere else.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from dprisk._files import read_text, write
from dprisk.errors import InvalidFile, NotInstalled
from dprisk.ledger.kept import place_of
from dprisk.ledger.store.places import Location

ED25519: Final = b"\x01"
LARGEST: Final = 10**6  # bytes of a file
SETTINGS: Final = ("XDG_CONFIG_HOME", "~/.config")
Where = str | os.PathLike[str]


def key_place(location: Location) -> Path:
    """The private key of a ledger: beside it, or for a server in the settings of a user."""
    return place_of(location, "key", SETTINGS)


def public_place(location: Location) -> Path:
    """The public key of a ledger, beside the private one."""
    place = key_place(location)
    return place.with_name(f"{place.name}.pub")


def make_key(where: Where) -> Path:
    """Make a pair of keys (Ed25519) for the receipts of a ledger, and never replace one.

    Parameters
    ----------
    where : str or path
        The ledger: a file, or the URL of a database.

    Returns
    -------
    Path
        The file of the private key, which its owner alone may read. The public key has the same
        name with ``.pub``: give it to everyone who gets a receipt.

    Raises
    ------
    InvalidFile
        If there is a key already.

    Examples
    --------
    >>> import os, tempfile
    >>> from dprisk.ledger import Ledger, make_key
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Ledger.create(f"{folder}/office.ledger", origin="Office", by="ann").close()
    ...     key = make_key(f"{folder}/office.ledger")
    ...     key.name, oct(key.stat().st_mode & 0o777)
    ('office.ledger-key', '0o600')
    """
    from dprisk.ledger.store import open_store

    library, location = _cryptography(), Location.of(where)
    open_store(where).close()  # a name that was mistyped is that of no ledger
    place, public, form = key_place(location), public_place(location), library.serialization
    if os.path.lexists(place) or os.path.lexists(public):
        raise InvalidFile(
            place,
            "This ledger has a key already, and dprisk never replaces one.",
            "To begin with a new key, move both files of the old one to another place. Receipts "
            "that it signed are checked with its public key.",
        )
    made = library.ed25519.Ed25519PrivateKey.generate()
    plain = made.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())
    others = made.public_key().public_bytes(
        form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo
    )
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write(place, plain, mode=0o600)
    write(public, others)
    return place


def signature(name: str, body: str, key: Where) -> str:
    """The line of a note that signs its body under a name, by a private key in a PEM file."""
    private = _key(key, private=True)
    raw = _key_id(name, private.public_key()) + private.sign(body.encode())
    return f"— {name} {base64.b64encode(raw).decode()}"


def check_signature(
    name: str, body: str, lines: Iterable[str], key: Where, path: Where, what: str
) -> None:
    """Refuse a note that is not signed under a name with a public key."""
    public = _key(key, private=False)

    from cryptography.exceptions import InvalidSignature

    for said in lines:
        signer, encoded = said[2:].rsplit(" ", 1)
        raw = decoded(encoded)
        if signer == name and raw[:4] == _key_id(name, public):
            try:
                public.verify(raw[4:], body.encode())
            except InvalidSignature:
                raise InvalidFile(
                    path,
                    f"The signature of {name} is wrong: the {what} was changed, or signed with "
                    "another key.",
                ) from None
            return
    raise InvalidFile(path, f"The {what} is not signed by {name} with this key.")


def _cryptography() -> Any:
    try:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError:
        raise NotInstalled(
            "Signatures need the library cryptography. Install it with: pip install "
            "'dprisk[ledger]'."
        ) from None
    return SimpleNamespace(serialization=serialization, ed25519=ed25519)


def _key(path: Where, *, private: bool) -> Any:
    library = _cryptography()
    raw = read_text(path, LARGEST).encode()
    load: Any = library.serialization.load_pem_public_key
    kind: Any = library.ed25519.Ed25519PublicKey
    problem = "This is not an Ed25519 public key."
    fix = "Make it from the private key with: openssl pkey -pubout."
    if private:
        load = partial(library.serialization.load_pem_private_key, password=None)
        kind = library.ed25519.Ed25519PrivateKey
        problem = "This is not a readable Ed25519 private key."
        fix = "Make one with: openssl genpkey -algorithm ed25519, without a password."
    with suppress(ValueError, TypeError):  # no key, or one with a password
        if isinstance(key := load(raw), kind):
            return key
    raise InvalidFile(path, problem, fix)


def _key_id(name: str, public: Any) -> bytes:
    """Four bytes that tell two keys of one name apart: of SHA-256(name, newline, kind, key)."""
    return hashlib.sha256(name.encode() + b"\n" + ED25519 + public.public_bytes_raw()).digest()[:4]


def decoded(text: str) -> bytes:
    """The bytes, or none if that is not the one text that stands for them."""
    try:
        raw = base64.b64decode(text, validate=True)
    except binascii.Error:
        return b""
    return raw if base64.b64encode(raw).decode() == text else b""
