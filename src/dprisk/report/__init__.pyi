from .making import report as report
from .values import (
    FORMATS as FORMATS,
    REPORT as REPORT,
    Asked as Asked,
    Labels as Labels,
    Report as Report,
)
