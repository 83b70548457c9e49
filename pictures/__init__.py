"""Pictures of every game: one SVG document of a table, or of what lies in front of one seat. What programs can find in
them is in docs/page.md."""

from pictures.registry import picture

__all__ = ["picture"]
