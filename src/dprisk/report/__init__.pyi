from .making import report as report
from .document import Labels as Labels
