"""Check receipts of a ledger against an export of it, without dprisk.

Usage: check_receipt.py EXPORT RECEIPT... [--key PUBLIC_KEY]
Exit codes: 0 all that the receipts saw is there, 3 it is not, 2 something cannot be checked.
"""

from __future__ import annotations

import json
import re
import sys
from base64 import b64decode, b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

FIELDS = ("seq", "kind", "key", "at", "by", "body", "previous")
RECEIPT = re.compile(
    r"(?P<above>(?P<origin>[^\n]+)\n(?P<size>[1-9][0-9]{0,18})\n(?P<root>[A-Za-z0-9+/]{43}=)\n"
    r"entry (?P<seq>[1-9][0-9]{0,18}) (?P<hash>[A-Za-z0-9+/]{43}=)\n"
    r"at [0-9T:.-]{26}Z\n)(?:unsigned sha256 (?P<checksum>[A-Za-z0-9+/]{43}=)\n\n"
    r"|signed\n\n(?P<lines>(?:— [^\s+]+ [A-Za-z0-9+/=]+\n)+))"
)


def entries_of(export: Path) -> list[dict[str, str]]:
    """The entries of an export, each with the right hash, and each after the one before."""
    lines = (export / "entries.jsonl").read_bytes().decode().split("\n")
    if lines.pop():
        raise ValueError("The last entry of the export was cut short.")
    previous, found = "0" * 64, []
    for number, line in enumerate(lines, 1):
        entry = json.loads(line)
        said = [entry[name] for name in FIELDS]
        text = json.dumps(said, separators=(",", ":"), ensure_ascii=False)
        if set(entry) != {*FIELDS, "hash"} or sha256(text.encode()).hexdigest() != entry["hash"]:
            raise ValueError(f"Entry {number} of the export was changed: its hash is wrong.")
        if (entry["seq"], entry["previous"]) != (number, previous):
            raise ValueError(f"Entry {number} of the export does not follow the one before it.")
        previous = entry["hash"]
        found.append(entry)
    return found


def check_signature(receipt: re.Match[str], public: Path) -> None:
    """Refuse a receipt that is not signed with the key (in PEM), by the library cryptography."""
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    key: Any = load_pem_public_key(public.read_bytes())
    name = re.sub(r"[\s+]+", "-", receipt["origin"])
    named = sha256(f"{name}\n\x01".encode() + key.public_bytes_raw()).digest()[:4]
    for line in (receipt["lines"] or "").split("\n")[:-1]:
        signer, raw = line[2:].rsplit(" ", 1)
        signature = b64decode(raw)
        if (signer, raw, signature[:4]) == (name, b64encode(signature).decode(), named):
            key.verify(signature[4:], f"{receipt['above']}signed\n".encode())
            return
    raise ValueError("It is not signed with this key.")


def verdict(path: Path, entries: list[dict[str, str]], public: Path | None) -> tuple[bool, str]:
    """Whether everything that a receipt has seen is there, and the words for it."""
    receipt = RECEIPT.fullmatch(path.read_bytes().decode())
    if receipt is None:
        raise ValueError("It is not a whole receipt.")
    if public is not None:
        check_signature(receipt, public)
    elif receipt["lines"]:
        raise ValueError("It is signed: name the public key with --key.")
    elif receipt["checksum"] != b64encode(sha256(receipt["above"].encode()).digest()).decode():
        raise ValueError("It was changed: its checksum is wrong.")
    signed = "The receipt is signed." if public else "The receipt is unsigned: anyone can write it."
    for what, seq, name in (("charge", "seq", "hash"), ("last entry", "size", "root")):
        number, digest = int(receipt[seq]), b64decode(receipt[name]).hex()
        if number > len(entries):
            return False, f"The export ends before its {what}, entry {number}. {signed}"
        if entries[number - 1]["hash"] != digest:
            return False, f"The export has another entry {number} than its {what}. {signed}"
    return True, f"Everything up to entry {receipt['size']} is there. {signed}"


def main(given: list[str]) -> int:
    """Check the receipts named on the command line."""
    public = Path(given[given.index("--key") + 1]) if "--key" in given else None
    export, *receipts = [Path(each) for each in given if each not in ("--key", str(public))]
    at, kept = export, [bool(receipts)]
    try:
        entries = entries_of(export)
        for at in receipts:
            found, why = verdict(at, entries, public)
            kept.append(found)
            print(f"{at}: {why}")
    except Exception as error:  # whatever it is, nothing is accepted
        print(f"{at}: It cannot be checked. {str(error) or type(error).__name__}", file=sys.stderr)
        return 2
    return 0 if all(kept) else 3


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
