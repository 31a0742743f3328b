from .attack_release import attacked as attacked
from .compare_release import compared as compared
from .compose_release import together as together
