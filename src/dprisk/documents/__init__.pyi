from .beliefs import headline as headline
from .compositions import (
    assess_counterfactual as assess_counterfactual,
    assess_tests as assess_tests,
    compose_release as compose_release,
)
from .document import Labels as Labels
from .explaining import explain as explain
from .reporting import report as report
