"""How much noise buys how little risk: data, not ink."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

from dprisk._checks import PROBABILITY, fixed, scalar
from dprisk._numeric.logspace import Floats
from dprisk._values import members, plain, result
from dprisk.errors import refused
from dprisk.mechanisms import Mechanism
from dprisk.risk.adversary import Secret
from dprisk.risk.posterior import disclosure
from dprisk.theorems import Theorem


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class NoiseCurve:
    """The noise of mechanisms, and what can be learned at most. Made by `noise_curve`.

    Parameters
    ----------
    name : str
        What is run, as a figure says it.
    mechanisms : tuple of Mechanism
        From the least noise to the most.
    noise_sd : ndarray
        Standard deviation of the noise of each, in the units of the answer. [0, inf), shape (n,)
    exact_probability : ndarray
        Probability that the true value comes out unchanged. [0, 1], shape (n,)
    prior : float
        Belief before the release. [0, 1]
    confidence : float or None
        Probability with which the bounds hold; None for certainty. (0, 1)
    log_odds : ndarray
        The log-odds move by at most this. [0, inf], nats, shape (n,)
    posterior : ndarray
        Belief after the release, at most. [0, 1], shape (n,)
    theorem : Theorem
        Where it comes from.
    """

    name: str
    mechanisms: tuple[Mechanism, ...]
    noise_sd: Floats
    exact_probability: Floats
    prior: float
    confidence: float | None
    log_odds: Floats
    posterior: Floats
    theorem: Theorem

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, and for the table behind a figure.

        Returns
        -------
        dict
            One list for each quantity.
        """
        return {
            "name": self.name,
            "mechanisms": [repr(each) for each in self.mechanisms],
            **members(self, "noise_sd", "exact_probability", "prior", "confidence", "log_odds"),
            "posterior_at_most": plain(self.posterior),
            **members(self, "theorem", "theorem.citation"),
        }


def noise_curve(
    mechanisms: Sequence[Mechanism],
    *,
    prior: float = 0.5,
    confidence: float | None = None,
    own: bool = False,
    name: str = "",
) -> NoiseCurve:
    """Noise beside risk, for the same mechanism with more and more noise.

    Parameters
    ----------
    mechanisms : sequence of Mechanism
        Each adds noise to a number; all for the same neighbors.
    prior : float
        Belief before the release. [0, 1]
    confidence : float, optional
        Probability with which the bounds hold. (0, 1). Left out: with certainty, which normal noise
        does not allow.
    own : bool
        Whether the mechanism's own privacy loss is read, or the promise that it keeps.
    name : str
        What is run; left out, the kind of mechanism.

    Returns
    -------
    NoiseCurve
        Sorted by noise. The secret is membership under add-remove neighbors, an attribute under
        replace-one; bounds on both sides.

    Raises
    ------
    InvalidInput
        If there is no mechanism, one of them adds no noise, or their neighbors differ.
    OutOfRange
        If a number is outside its range, or no bound holds with that confidence.

    Examples
    --------
    >>> from dprisk.curves import noise_curve
    >>> from dprisk.mechanisms import Laplace
    >>> ran = [Laplace(scale, 1.0, neighbors="add-remove") for scale in (1.0, 2.0, 4.0)]
    >>> noise_curve(ran, prior=0.1).posterior.round(3).tolist()
    [0.232, 0.155, 0.125]
    """
    belief = scalar("prior", prior, PROBABILITY)
    ran = list(mechanisms)
    if not ran or len({each.neighbors for each in ran}) > 1:
        raise refused("errors.curve.mechanisms", "mechanisms", mechanisms)
    silent = [each for each in ran if each.noise_sd is None]
    if silent:
        raise refused("errors.curve.noise", "mechanisms", silent[0])
    ran.sort(key=lambda each: each.noise_sd or 0.0)
    secret: Secret = "membership" if ran[0].neighbors == "add-remove" else "attribute"
    found = [
        disclosure(each.loss() if own else each.guarantee(), confidence=confidence, secret=secret)
        for each in ran
    ]
    columns = (
        [each.noise_sd for each in ran],
        [each.exact_probability or 0.0 for each in ran],
        [float(each.loss) for each in found],
        [float(each.posterior(belief).upper) for each in found],
    )
    noise, exact, log_odds, posterior = map(fixed, columns)
    label = name or type(ran[0]).__name__
    theorem = found[0].loss.theorem
    return NoiseCurve(
        label, tuple(ran), noise, exact, belief, confidence, log_odds, posterior, theorem
    )
