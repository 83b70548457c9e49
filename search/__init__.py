"""Bot players over the game interface: information-set tree search, reference opponents, matches."""

from search.player import Answer, Budget, Limit, Player, Question
from search.search_player import SearchPlayer
from search.specs import Spec, spec

__all__ = ["Answer", "Budget", "Limit", "Player", "Question", "SearchPlayer", "Spec", "spec"]
