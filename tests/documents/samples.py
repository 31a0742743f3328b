"""Releases to report on, some of them hostile; made once."""

from __future__ import annotations

from functools import cache

from dprisk import Adversary, ApproxDP, GaussianDP, PureDP
from dprisk.allocation import allocate
from dprisk.documents import Labels, report
from dprisk.mechanisms import Gaussian
from dprisk.releases import Part, Release
from dprisk.releases.notes import Note

EVIL = "<script>alert(\"1\")</script> & 'q' --> ]]> \u202e`|*_~ \x07"


def release(*parts, neighbors="add-remove", **changes):
    """A release that is stated in full."""
    stated = {
        "name": "Town survey",
        "unit": "person",
        "period": "once",
        "neighbors_stated": True,
        "model": "central",
    }
    return Release(parts=tuple(parts), neighbors=neighbors, **(stated | changes))


@cache
def pure():
    """One pure promise, and limits of which one is kept."""
    made = release(Part(PureDP(1.0, neighbors="add-remove")))
    who = Adversary(priors=(0.1, 0.5))
    return report(made, who, limits={"posterior": 0.8, "difference": 0.1})


@cache
def approximate():
    """A promise that is not certain, for replace-one neighbors, three times over."""
    made = release(Part(ApproxDP(1.0, 1e-6, neighbors="replace-one")), neighbors="replace-one")
    return report(made, upto=5)


@cache
def everything():
    """Every section, and texts that try to be something else."""
    noise = Gaussian(4.0, 1.0, neighbors="add-remove")
    hostile = {"name": EVIL, "curator": EVIL, "region": EVIL, "date": EVIL, "period": EVIL}
    made = release(
        Part.of(noise, 2, EVIL),
        Part(GaussianDP(0.1, neighbors="add-remove"), label=EVIL),
        **hostile,
        unit=EVIL,
        invariants=(EVIL,),
        source=(EVIL,),
        notes=(Note("warning", EVIL),),
    )
    rows = [
        {"query": EVIL, "attributes": "race", "rho": "0.1"},
        {"query": "ages", "attributes": "age", "rho": "0.05"},
    ]
    shared = allocate(rows, name=EVIL, noise="gaussian", moves=2)
    labels = Labels(claim=EVIL, by=EVIL, date=EVIL, file=EVIL, table=EVIL)
    return report(
        made, limits={"posterior": 0.9}, allocation=shared, concerns=["race"], labels=labels
    )
