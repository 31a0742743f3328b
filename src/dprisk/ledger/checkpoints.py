"""A checkpoint says how long a ledger was and the hash it ended with; it is kept somewhere else."""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import re
from dataclasses import dataclass, replace
from typing import Any, Final, final

from dprisk._files import read_text, write
from dprisk._values import members
from dprisk.errors import InvalidFile, InvalidInput, NotInstalled, unreadable
from dprisk.ledger.entries import START, Entry, origin_of

ED25519: Final = b"\x01"
LARGEST: Final = 10**6  # bytes of a file
BODY: Final = re.compile(r"([^\n]+)\n(0|[1-9][0-9]{0,18})\n([A-Za-z0-9+/]{43}=)\n((?:[^\n]+\n)*)")
SIGNATURE: Final = re.compile(r"— ([^\s+]+) ([A-Za-z0-9+/=]+)")
NAME: Final = re.compile(r"[^\s+]+")
NOTE_KEY: Final = re.compile(r"(PRIVATE\+KEY\+)?([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)")


@final
@dataclass(frozen=True)
class Checkpoint:
    """How long a ledger was, and what it ended with.

    Parameters
    ----------
    origin : str
        What the ledger calls itself.
    size : int
        How many entries it had. [0, inf)
    root : str
        Hash of the last of them, in hexadecimal.
    rest : str
        Further lines, which say nothing to dprisk.
    signatures : tuple of str
        The lines of signatures.
    signed_by : str or None
        Whose signature was checked.

    Examples
    --------
    >>> from dprisk.ledger.checkpoints import Checkpoint
    >>> print(Checkpoint("example.org/2026", 3, "ab" * 32).body, end="")
    example.org/2026
    3
    q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s=
    """

    origin: str
    size: int
    root: str
    rest: str = ""
    signatures: tuple[str, ...] = ()
    signed_by: str | None = None

    @property
    def body(self) -> str:
        """The text that is signed."""
        root = base64.b64encode(bytes.fromhex(self.root)).decode()
        return f"{self.origin}\n{self.size}\n{root}\n{self.rest}"

    @property
    def text(self) -> str:
        """The whole file."""
        return self.body + "".join(["\n", *(f"{each}\n" for each in self.signatures)])

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON.

        Returns
        -------
        dict
            Without the signatures.
        """
        return {**members(self, "origin", "size", "root"), "signed": bool(self.signatures)}

    def signed(self, key: str | os.PathLike[str], name: str | None = None) -> Checkpoint:
        """The same with one more signature.

        Parameters
        ----------
        key : str or path
            The file of an Ed25519 private key: PEM, or the form of a signed note.
        name : str, optional
            Whose key it is, without blanks or plus signs; by default what the file says, or the
            origin.

        Returns
        -------
        Checkpoint
            With the line of the signature.

        Raises
        ------
        InvalidFile
            If the file holds no such key.
        InvalidInput
            If the name cannot be used.
        """
        said, private = _key(key, private=True)
        who = name or said or self.origin
        if not NAME.fullmatch(who):
            raise InvalidInput(
                "name",
                who,
                "a name without spaces or plus signs",
                "Such as statistics.example.org.",
            )
        signature = _key_id(who, private.public_key()) + private.sign(self.body.encode())
        line = f"— {who} {base64.b64encode(signature).decode()}"
        return replace(self, signatures=(*self.signatures, line), signed_by=who)


def checkpoint_of(entries: list[Entry]) -> Checkpoint:
    """The checkpoint of a whole ledger."""
    last = entries[-1].hash if entries else START
    return Checkpoint(origin_of(entries), len(entries), last)


def write_checkpoint(
    checkpoint: Checkpoint, path: str | os.PathLike[str], *, force: bool = False
) -> None:
    """Write a checkpoint to a file, whole or not at all."""
    write(path, checkpoint.text.encode(), force=force)


def read_checkpoint(
    path: str | os.PathLike[str],
    key: str | os.PathLike[str] | None = None,
    name: str | None = None,
) -> Checkpoint:
    """Read a checkpoint from a file."""
    body, blank, signed = read_text(path, LARGEST).partition("\n\n")
    found = BODY.fullmatch(body + "\n" if blank else body)
    lines = signed.splitlines()
    if not found or not all(SIGNATURE.fullmatch(line) for line in lines):
        raise unreadable(path, "ledger.note.bad")
    origin, size, encoded, rest = found.groups()
    if not (root := _decoded(encoded)):
        raise unreadable(path, "ledger.note.bad")
    checkpoint = Checkpoint(origin, int(size), root.hex(), rest, tuple(lines))
    return checkpoint if key is None else _checked(checkpoint, path, key, name)


def _checked(checkpoint: Checkpoint, path: Any, key: Any, name: str | None) -> Checkpoint:
    said, public = _key(key, private=False)
    who = name or said or checkpoint.origin
    ours = _key_id(who, public)
    for line in checkpoint.signatures:
        signer, encoded = line[2:].rsplit(" ", 1)
        raw = _decoded(encoded)
        if signer == who and raw[:4] == ours:
            if not _verifies(public, raw[4:], checkpoint.body.encode()):
                raise InvalidFile(
                    path,
                    f"The signature of {who} is wrong: the checkpoint was changed, or signed with "
                    "another key.",
                )
            return replace(checkpoint, signed_by=who)
    raise InvalidFile(path, f"The checkpoint is not signed by {who} with this key.")


# --- keys ----------------------------------------------------------------------------------------


def _key(path: Any, *, private: bool) -> tuple[str | None, Any]:
    """The name in the file of a key, if there is one, and the key."""
    text = read_text(path, LARGEST).strip()
    noted = NOTE_KEY.fullmatch(text)
    try:
        key = _noted(noted, private) if noted else _pem(text.encode(), private)
    except (ValueError, TypeError, AttributeError):  # no key, one with a password, another kind
        key = None
    if key is None:
        raise unreadable(path, "ledger.key.private" if private else "ledger.key.public")
    return (noted[2] if noted else None), key


def _noted(found: re.Match[str], private: bool) -> Any:
    """A key as the Go tools for signed notes write it: name, id, kind and 32 bytes."""
    raw = _decoded(found[4])
    if bool(found[1]) is not private or raw[:1] != ED25519 or len(raw) != 33:
        return None
    kinds = _ed25519()
    key = (
        kinds.Ed25519PrivateKey.from_private_bytes
        if private
        else kinds.Ed25519PublicKey.from_public_bytes
    )(raw[1:])
    return (
        key if _key_id(found[2], key.public_key() if private else key).hex() == found[3] else None
    )


def _pem(raw: bytes, private: bool) -> Any:
    kinds = _ed25519()
    from cryptography.hazmat.primitives import serialization

    if private:
        key: Any = serialization.load_pem_private_key(raw, None)
        return key if isinstance(key, kinds.Ed25519PrivateKey) else None
    key = serialization.load_pem_public_key(raw)
    return key if isinstance(key, kinds.Ed25519PublicKey) else None


def _key_id(name: str, public: Any) -> bytes:
    """Four bytes that tell two keys of one name apart: of SHA-256(name, newline, kind, key)."""
    return hashlib.sha256(name.encode() + b"\n" + ED25519 + public.public_bytes_raw()).digest()[:4]


def _verifies(public: Any, signature: bytes, message: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature

    try:
        public.verify(signature, message)
    except InvalidSignature:
        return False
    return True


def _decoded(text: str) -> bytes:
    """The bytes, or none if that is not the one text that stands for them."""
    try:
        raw = base64.b64decode(text, validate=True)
    except binascii.Error:
        return b""
    return raw if base64.b64encode(raw).decode() == text else b""


def _ed25519() -> Any:
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError:
        raise NotInstalled(
            "Signatures need the library cryptography. Install it with: pip install "
            "'dprisk[ledger]'."
        ) from None
    return ed25519
