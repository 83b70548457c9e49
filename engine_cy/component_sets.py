"""The component sets to choose from: the printed one of every game, and those that somebody adds."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from engine_cy.errors import ComponentError, InputError
from engine_cy.files import read_tables
from engine_cy.registry import GAMES
from engine_cy.rules import ComponentSet, GameRules


class ComponentSets:
    """Sets are told apart by their hash."""

    def __init__(self, files: Iterable[Path] = ()) -> None:
        """ComponentError, which names the file, if one of them is wrong; OSError if it cannot be read."""
        self._sets = {name: [game.standard()] for name, game in GAMES.items()}
        for file in files:
            tables = read_tables(file)
            game = _game_for(tables)
            try:
                added = game.component_set.from_dict(tables)
            except ComponentError as error:
                raise ComponentError(f"{file} (for {game.name}): {error.field}", error.expected, error.got) from error
            if all(added.digest != known.digest for known in self._sets[game.name]):
                self._sets[game.name].append(added)

    def of(self, game: str) -> Sequence[ComponentSet]:
        """The printed set first, then the others in the order they were given."""
        return self._sets[game]

    def find(self, game: str, digest: str, name: str = "") -> ComponentSet:
        """The set with this hash, or the printed one for none; InputError in words if there is no such set here. The
        name is only told."""
        for known in self._sets[game]:
            if digest in {"", known.digest}:
                return known
        here = " or ".join(_words(known.name, known.digest) for known in self._sets[game])
        raise InputError("components.hash", f"a component set that is here: {here}", _words(name, digest))


def _game_for(tables: Iterable[str]) -> type[GameRules]:
    """Which game a file is meant for, by what stands at its top; what is missing there, the game itself will say."""
    return max(GAMES.values(), key=lambda game: len(set(game.component_set.keys()) & set(tables)))


def _words(name: str, digest: str) -> str:
    return " ".join(filter(None, (name, f"({digest[:12]}...)")))
