from .files import read_releases as read_releases
from .published import comparable as comparable, deployments as deployments
from .release import Part as Part, Release as Release
from .writing import write_release as write_release
