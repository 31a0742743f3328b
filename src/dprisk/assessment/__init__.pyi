from .attack_release import attacked as attacked
from .compare_release import compared as compared
from .compose_release import composition_schema as composition_schema, together as together
from .run import assess as assess
from .statements import Assessment as Assessment, json_schema as json_schema
