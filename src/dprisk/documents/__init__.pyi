from .beliefs import headline as headline
from .compositions import (
    assess_counterfactual as assess_counterfactual,
    assess_tests as assess_tests,
    compose_release as compose_release,
)
from .explaining import explain as explain
from .reporting import Labels as Labels, report as report
