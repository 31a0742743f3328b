from .commands import app as app
from .ending import main as main
