from .files import read_release as read_release, read_releases as read_releases
from .model import json_schema as json_schema
from .published import comparable as comparable, deployments as deployments
from .registry import release_from_registry as release_from_registry
from .release import Part as Part, Release as Release
from .writing import write_release as write_release
