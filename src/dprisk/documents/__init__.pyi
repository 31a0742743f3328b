from .assessing import attacked as attacked, compared as compared
from .beliefs import headline as headline
from .compositions import together as together
from .explaining import explained as explained
from .reports.making import report as report
from .reports.report import Labels as Labels
