"""A report: its parts, one module for each kind of section."""
