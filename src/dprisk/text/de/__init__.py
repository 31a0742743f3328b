"""German: what is told to the person whose data it is. The rest falls back to English."""
