"""How a document is written: HTML, Markdown, PDF, and text for a terminal."""
