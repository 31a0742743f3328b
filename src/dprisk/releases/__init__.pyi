from .files import read_release as read_release, read_releases as read_releases
from .model import json_schema as json_schema
from .published import (
    Comparison as Comparison,
    comparable as comparable,
    deployments as deployments,
)
from .registry import release_from_registry as release_from_registry
from .release import Note as Note, Part as Part, Release as Release
from .units import normalized_unit as normalized_unit
from .writing import write_release as write_release
