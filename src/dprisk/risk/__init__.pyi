from .adversary import confidence_for as confidence_for
from .closed_forms import (
    implied_by_difference as implied_by_difference,
    implied_by_posterior as implied_by_posterior,
    implied_by_ratio as implied_by_ratio,
)
from .exact import exact_posterior as exact_posterior
from .closed_forms import (
    independent_posterior as independent_posterior,
    independent_ratio as independent_ratio,
    with_participation as with_participation,
)
from .joint import joint_disclosure as joint_disclosure
from .tests import attack as attack
from .small_world import enumerate_world as enumerate_world
