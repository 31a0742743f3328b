"""Pictures of reproduced items, drawn by `dprisk.plots`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from dprisk.papers.reproduction import Reproduced


@final
@dataclass(frozen=True)
class Picture:
    """One picture of an item, as files and in words."""

    name: str
    caption: str
    takeaway: str
    alt: str
    svg: bytes
    png: bytes


def pictures_of(part: Reproduced) -> tuple[Picture, ...]:
    """Draws an item: nothing for one without a figure."""
    from dprisk.plots import alt_text, render, takeaway

    drawn = [] if part.made is None else list(part.made.pictures.items())
    found = []
    for number, (caption, draw) in enumerate(drawn, 1):
        name = part.item.slug if len(drawn) == 1 else f"{part.item.slug}-{number}"
        axes = draw()
        svg = render(axes, "svg", name=f"{part.item.paper}-{name}")
        found.append(
            Picture(name, caption, takeaway(axes), alt_text(axes), svg, render(axes, "png"))
        )
    return tuple(found)
