"""One press for all pages: templates, escaping and the stylesheet that they share."""

from __future__ import annotations

from dprisk._pages.press import page, pasted, press, slug

__all__ = ["page", "pasted", "press", "slug"]
