# May know: thinking, engine_cy, search.
"""How a bot on a seat thinks while others play, with what the server can spare."""

import asyncio
from collections.abc import Sequence
from time import monotonic

from engine_cy.game import Chosen, Game, View
from search.ismcts import clock_ns
from search.player import Limit, Player, Question
from server.thinking.admission import Job
from server.thinking.searches import Searches

_STEP = 0.05
_PAUSE = 0.02
_LONGEST = 30.0


class Pondering:
    """What a player thinks about while others play: a position, and how the game came there if that is known."""

    def __init__(self, game: Game, seat: int, seed: int, player: Player, searches: Searches) -> None:
        self.game = game
        self.player = player
        self.seconds = 0.0
        self._view, self._seed = game.observe(seat), seed
        self._task = asyncio.create_task(self._ponder(searches))

    async def _ponder(self, searches: Searches) -> None:
        """In small steps, each only when nobody else wants to search."""
        begun = monotonic()
        while monotonic() - begun < _LONGEST:
            async with searches.pondering:
                while not searches.admission.idle:
                    await asyncio.sleep(_PAUSE)
                before = monotonic()
                step = Job(_STEP, 0.0, background=True)
                async with searches.admission.slot(step):
                    step.run_by(self.player)
                    await searches.in_thread(self._step, self.player.stop)
                self.seconds += monotonic() - before

    def _step(self) -> None:
        limit = Limit(deadline_ns=clock_ns() + int(_STEP * 1e9))
        self.player.think(Question(self._view, limit, self._seed))

    async def stop(self) -> None:
        """Come to rest."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    def led_to(self, now: Game, view: View) -> bool:
        """Whether the player knows something of where the game stands now. It must be at rest."""
        codes = course(self.game, now)
        return codes is not None and self.seconds > 0 and self.player.follow(view, codes)


def course(before: Game, now: Game) -> Sequence[tuple[int, int]] | None:
    """The decisions, as (seat, code), that lead from one moment of a game to a later one; None if that is another game,
    or not known."""
    n = len(before.history)
    if not n or before.rules is not now.rules or before.history != now.history[:n]:
        return None
    codes = []
    game = before.copy()
    game.generator = None  # chance comes as it did, which need not be as this seed would have it
    for event in now.history[n:]:
        if isinstance(event, Chosen):
            codes.append((event.seat, now.rules.encode(game.state.phase, event.decision)))
        game.play(event)
    return codes
