from .explaining import explained as explained
from .wording import headline as headline
