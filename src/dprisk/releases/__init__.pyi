from .computational import Computational as Computational
from .files import read_releases as read_releases, write_release as write_release
from .published import comparable as comparable, deployments as deployments
from .release import Part as Part, Release as Release
from .tools.reading import read_from as read_from
from .training import dp_sgd as dp_sgd
