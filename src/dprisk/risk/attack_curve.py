"""What tests of the output can do, as data: for figures, tables and JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, final, get_args

from dprisk._numeric.logspace import Floats
from dprisk._values import members, plain, result
from dprisk.answer import Answer
from dprisk.guarantees.base import Neighbors
from dprisk.risk.adversary import Secret

ATTACK = "dprisk/attack/1"

AttackMetric = Literal["power", "advantage", "predictive_value"]
ATTACKS: Final[tuple[AttackMetric, ...]] = get_args(AttackMetric)


@final
@result
@dataclass(frozen=True, eq=False, repr=False)
class AttackCurve:
    """An attack as data: what figures, tables and JSON are made from. Made by `Attack.curve`.

    Parameters
    ----------
    neighbors : {"add-remove", "replace-one"}
        The relation that the guarantee was given for.
    secret : {"membership", "attribute"}
        What the test asks.
    levels : ndarray
        Probabilities of a false alarm. [0, 1]
    power : Answer
        Most power at each level.
    advantage, best_level : Answer
        Most power minus level over all levels, and where it is reached.
    priors : tuple of float
        Beliefs in the secret before the output is seen. [0, 1]
    predictive_values, negative_predictive_values : tuple of Answer
        For each prior, at each level.
    assumptions : tuple of str
        What every number takes for granted.

    Notes
    -----
    The power curve rises and is seldom straight. Between two levels the power at the upper one is
    a bound; a straight line between two points is not.
    """

    neighbors: Neighbors
    secret: Secret
    levels: Floats
    power: Answer
    advantage: Answer
    best_level: Answer
    priors: tuple[float, ...]
    predictive_values: tuple[Answer, ...]
    negative_predictive_values: tuple[Answer, ...]
    assumptions: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The curve as plain data for JSON.

        Returns
        -------
        dict
            Keys are documented with the JSON output of ``dprisk power``.
        """
        values = zip(
            self.priors, self.predictive_values, self.negative_predictive_values, strict=True
        )
        return {
            "schema": ATTACK,
            **members(self, "neighbors", "secret", "levels", "power", "advantage", "best_level"),
            "predictive_values": [
                {"prior": prior, "positive": plain(positive), "negative": plain(negative)}
                for prior, positive, negative in values
            ],
            "assumptions": list(self.assumptions),
        }
