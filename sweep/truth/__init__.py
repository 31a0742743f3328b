"""What the package ought to answer, computed without it."""
