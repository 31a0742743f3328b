"""How a ledger begins: with one entry, where there is none."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from dprisk.errors import InvalidInput, refused
from dprisk.ledger.deciding import Author
from dprisk.ledger.lines import line

if TYPE_CHECKING:
    from dprisk.ledger.store import Store, Writing


FORMAT: Final = 1


def founded(where: str | os.PathLike[str], origin: str, author: Author) -> Store:
    """The store of a new ledger, with its first entry; closed again where there is one already."""
    from dprisk.ledger.store import opened

    said = {"ledger": uuid4().hex, "origin": line("origin", origin), "format": FORMAT}
    store = opened(where, create=True)

    def begin(writing: Writing) -> None:
        if writing.entries():
            raise refused("ledger.there", "where", store.location.shown)
        writing.append(author.after(None, "ledger", None, said))

    try:
        store.write(begin)
    except InvalidInput:
        store.close()
        raise
    return store
