"""How the site is built: from Markdown and docstrings, offline, without a request to anyone."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

project = "dprisk"
author = "The dprisk developers"
extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc"]
exclude_patterns = ["_build"]

html_theme = "furo"
html_show_copyright = False
html_title = "dprisk"
html_copy_source = False
html_static_path = ["_static"]
html_css_files = ["figures.css"]
html_show_sphinx = False

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings say more: range, unit and shape
numpydoc_show_class_members = False


def setup(app):
    """Draws the pictures before the pages are read; tables as text have no colours."""
    from gallery import draw_all, draw_opening
    from notebooks import shown
    from pygments.lexers.special import TextLexer

    app.add_lexer("csv", TextLexer)
    app.connect("builder-inited", lambda _: draw_all() and draw_opening())
    app.connect("source-read", lambda app, name, text: text.__setitem__(0, shown(text[0])))
    app.connect("build-finished", add_page)


def add_page(app, failed):
    """Puts the interactive page beside the others; the front shows it."""
    from dprisk.web import save_page

    if not failed and app.builder.format == "html":
        save_page(Path(app.outdir, "dprisk.html"), force=True)
