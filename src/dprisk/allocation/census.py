"""The production settings of the 2020 Census redistricting data."""

from __future__ import annotations

from functools import cache

from dprisk.allocation.allocations import Allocation

__all__ = ["census2020"]


@cache
def census2020() -> Allocation:
    """How the 2020 Census redistricting data shared out its rho = 2.63.

    Returns
    -------
    Allocation
        The tables on persons and on housing units at six levels, with the scenarios A to H of P1
        and what is printed about them.

    Notes
    -----
    P1 prints a rho for each of its scenarios. Those of C to H are smaller than the sums of its own
    Tables 3 to 5; they come out if every query at the US level is given the share 52/4097. Here
    the sums of the tables count. A change of the type of group quarters moves HHGQ and its coarser
    form HHINSTLEVELS.

    References
    ----------
    .. [1] P1, Section 8, Tables 3 to 5.
    .. [2] J. M. Abowd et al., The 2020 Census disclosure avoidance system TopDown algorithm,
       Harvard Data Science Review, 2022.

    Examples
    --------
    >>> from dprisk.allocation import census2020
    >>> race = census2020().exposure("race")
    >>> len(race.queries), round(float(race.amount), 4), round(float(race.share), 3)
    (30, 1.0103, 0.384)
    """
    from dprisk.allocation.files import read_allocation

    return read_allocation("census2020")
