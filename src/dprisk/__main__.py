"""``python -m dprisk``."""

from dprisk.cli import main

main()
