from dprisk.analysis import natural_secret as natural_secret
from dprisk.risk.certainty import DEFAULT_CONFIDENCE as DEFAULT_CONFIDENCE
from .attack_release import Attacked as Attacked, Ceiling as Ceiling, attacked as attacked
from .compare_release import (
    COUNTERFACTUAL as COUNTERFACTUAL,
    Compared as Compared,
    compared as compared,
)
from .compose_release import (
    COMPOSITION as COMPOSITION,
    Composition as Composition,
    Reading as Reading,
    composition_schema as composition_schema,
    together as together,
)
from .run import assess as assess
from .values import (
    SCHEMA as SCHEMA,
    Assessment as Assessment,
    Finding as Finding,
    Limit as Limit,
    Statement as Statement,
    json_schema as json_schema,
)
