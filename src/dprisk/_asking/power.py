"""How well a test of what is published can find someone out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

from dprisk._asking import options, reading
from dprisk._asking.options import LIMIT, NUMBER, Texts, option

if TYPE_CHECKING:
    from dprisk.documents.assessing import Attacked

LEVELS = ("0.01", "0.05", "0.1")


class PowerOptions(NamedTuple):
    """``power``: how well a test can do, at most."""

    subject: options.Subject = options.Subject()
    secret: options.Secret = None
    level: options.Level = None
    prior: Annotated[Texts, option("help.power.prior", NUMBER)] = None
    releases: options.Releases = "1"
    limit: Annotated[Texts, option("help.power.limit", LIMIT)] = None

    def answer(self) -> Attacked:
        """The attack curve, read at the levels that were asked for."""
        from dprisk.documents import attacked

        return attacked(
            self.subject.release("power", releases=self.releases),
            secret=self.secret,  # type: ignore[arg-type]
            levels=reading.numbers("--level", self.level or LEVELS),
            priors=reading.numbers("--prior", self.prior),
            limits=reading.limits(self.limit),
        )
