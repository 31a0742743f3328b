from .assessing import assess_counterfactual as assess_counterfactual, assess_tests as assess_tests
from .beliefs import headline as headline
from .compositions import compose_release as compose_release
from .explaining import explain as explain
from .reports.making import report as report
from .reports.report import Labels as Labels
