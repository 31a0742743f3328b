from .claim import Conclusion as Conclusion, understood as understood
from .explaining import explained as explained
from .rounding import chances as chances
from .promises import describe as describe
from .wording import headline as headline, sentences as sentences
