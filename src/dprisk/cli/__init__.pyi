from .commands import application as application
from .ending import main as main
