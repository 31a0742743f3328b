"""What was run, what was promised and what is stated about one release, held against each other.

Every document about a release takes from here which statements it cannot keep, and which of the
others counts.
"""

from __future__ import annotations

from dataclasses import replace

from dprisk.basis.values import Basis, Contradiction
from dprisk.releases.release import Release

__all__ = ["Basis", "Contradiction", "basis_of", "contradicted"]


def basis_of(release: Release) -> Basis:
    """Hold everything that is known and said about one release against each other.

    Parameters
    ----------
    release : Release
        One release, however often it is repeated.

    Returns
    -------
    Basis
        Which statements it cannot keep, and the parts that count.

    Notes
    -----
    Only mechanisms have certified lower ends: a promise may be kept by something that does better.
    What else was released takes nothing away from what the mechanisms reveal (dprisk
    Proposition 27). A difference that rounding may explain is no contradiction.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from dprisk import PureDP
    >>> from dprisk.mechanisms import Laplace
    >>> from dprisk.releases import Part, Release
    >>> from dprisk.basis import basis_of
    >>> run = Release.of(Laplace(scale=1.0, sensitivity=1.0, neighbors="add-remove"))
    >>> said = Part(PureDP(0.1, neighbors="add-remove"))
    >>> basis_of(replace(run, stated_also=(said,))).contradicted
    (<Contradiction of PureDP(epsilon=0.1, neighbors='add-remove'): epsilon at delta 0, 0.1 \
stated, at least 1>,)
    """
    if not release.stated_also:
        return Basis(release.parts)
    from dprisk.basis.search import held

    found = held(release.parts, release.stated_also)
    named = tuple(replace(each, release=release.name) for each in found.contradicted)
    return replace(found, contradicted=named)


def contradicted(*releases: object) -> tuple[Contradiction, ...]:
    """Find the statements that any of several releases cannot keep.

    Parameters
    ----------
    *releases : Release, Guarantee or Mechanism
        What is released; only described releases state anything.

    Returns
    -------
    tuple of Contradiction
        In the order of the releases.

    Examples
    --------
    >>> from dprisk.basis import contradicted
    >>> from dprisk.releases import deployments
    >>> contradicted(*deployments())
    ()
    """
    described = (each for each in releases if isinstance(each, Release))
    return tuple(found for each in described for found in basis_of(each).contradicted)
