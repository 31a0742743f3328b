from .claim import Claim as Claim, understood as understood
from .explaining import explained as explained
from .rounding import chances as chances
from .wording import describe as describe, headline as headline, sentences as sentences
