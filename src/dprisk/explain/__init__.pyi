from .budgets import (
    allowances as allowances,
    limit_in_words as limit_in_words,
    prospects as prospects,
)
from .claim import Claim as Claim, understood as understood
from .comparison import comparisons as comparisons
from .composed import readings as readings, width as width
from .detection import alarms as alarms
from .explaining import explained as explained
from .rounding import at_least as at_least, at_most as at_most, chances as chances
from .values import (
    EXPLANATION as EXPLANATION,
    Explanation as Explanation,
    Number as Number,
    Section as Section,
    Sentence as Sentence,
)
from .wording import describe as describe, headline as headline, sentences as sentences
