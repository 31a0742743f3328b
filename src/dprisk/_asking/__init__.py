"""Questions that can be asked: options in text, and the one library call that answers each.

The command line and the server ask the same way, so that both say the same.
"""
