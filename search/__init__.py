"""Bot players over the game interface: information-set tree search, reference opponents, matches."""

from search.bots import Bot, Budget, bot

__all__ = ["Bot", "Budget", "bot"]
