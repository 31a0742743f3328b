from .making import report as report
from .one_page import Summary as Summary
from .saving import FORMATS as FORMATS
from .values import (
    REPORT as REPORT,
    Asked as Asked,
    Labels as Labels,
    Report as Report,
)
