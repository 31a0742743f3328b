from .adversary import (
    Adversary as Adversary,
    between_hypotheses as between_hypotheses,
    steps as steps,
)
from .attack_curve import ATTACK as ATTACK, AttackCurve as AttackCurve
from .certainty import DEFAULT_CONFIDENCE as DEFAULT_CONFIDENCE, confidence_for as confidence_for
from .converse import (
    implied_by_difference as implied_by_difference,
    implied_by_posterior as implied_by_posterior,
    implied_by_ratio as implied_by_ratio,
)
from .exact import (
    ExactPosterior as ExactPosterior,
    Readings as Readings,
    exact_posterior as exact_posterior,
)
from .independent import (
    independent_posterior as independent_posterior,
    independent_ratio as independent_ratio,
    with_participation as with_participation,
)
from .level_power import Attack as Attack, attack as attack
from .posterior_to_posterior import (
    Counterfactual as Counterfactual,
    counterfactual as counterfactual,
)
from .prior_to_posterior import (
    Disclosure as Disclosure,
    Interval as Interval,
    disclosure as disclosure,
)
from .ratio_law import RatioLaw as RatioLaw
from .rows import RowBounds as RowBounds, row_bounds as row_bounds
from .world import SmallWorld as SmallWorld, enumerate_world as enumerate_world
