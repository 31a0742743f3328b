from .making import report as report
from .values import Labels as Labels
