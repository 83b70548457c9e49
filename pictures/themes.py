"""The colours that all games share: those of light and dark pages, of seats, and of headlines."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours around a game that depend on whether the page is light or dark; games add their own by theme."""

    name: str
    page: str
    panel: str
    edge: str
    text: str
    faint: str
    slot: str  # where nothing lies
    accent: str  # what can be chosen, and what is being resolved


LIGHT = Theme("light", "#f3eadb", "#fffaf0", "#e0d2ba", "#3b2f26", "#7d6c5b", "#efe5d3", "#c2185b")
DARK = Theme("dark", "#191a21", "#252732", "#3b3e4d", "#f2ece0", "#a9a397", "#2e313e", "#ff7eb0")
THEMES = {theme.name: theme for theme in (LIGHT, DARK)}

COLOURS = ("#2667ab", "#cb452c", "#b87d00", "#128673", "#7c4fb3", "#c94a86")  # of seats; numbers say it without them
NOBODY, ENDING = "#6f655a", "#b0174f"  # when no seat has to act, and when the end is near
