"""A hosted table as it is played, event by event, with the positions around each."""

from collections.abc import Iterator
from dataclasses import dataclass

from saloon_client import Client, InvalidRequest
from saloon_client.v1 import game_pb2, rules_pb2, tables_pb2


@dataclass
class Step:
    """An event, and how the table stood before and after it, as far as that can be known."""

    number: int
    event: game_pb2.Event | None  # None: one that may not be seen
    before: game_pb2.Position | None
    after: game_pb2.Position | None


class Following:
    """Tells a table as the seat of a token sees it, or a spectator."""

    def __init__(self, client: Client, table: str, token: str = "", seat: int | None = None) -> None:
        self.client, self.table, self.token, self.seat = client, table, token, seat

    def updates(
        self, options: game_pb2.Options, start: tuple[int, game_pb2.Position] | None = None
    ) -> Iterator[tables_pb2.Table | tables_pb2.TimedOut | Step]:
        """To the end of the game, from its beginning or from where it stood after so many events; the positions of what
        is past are worked out, too."""
        here: game_pb2.Position | None
        first, here = start or (0, self._beginning(options))
        held: Step | None = None  # its position would have to wait for chance: the next event shows whether it does
        ahead: tables_pb2.GetTableResponse | None = None  # where it stands, once that is not known from here
        for update in self.client.watch(self.table, self.token, first=first):
            if not update.HasField("event"):
                yield update.timed_out if update.HasField("timed_out") else update.table
                continue
            event = update.event.event if update.event.HasField("event") else None
            if held is not None:
                if event is not None and not event.HasField("chance"):
                    held.after = here = None
                yield held
                held = None
            step = Step(update.event.number, event, here, None)
            after = self._after(step)
            step.after = after.situation.position if after else None
            # What is hidden happens in between: the position before is still the last one known.
            here = step.before if event is None else step.after
            if after is None or after.status.waiting == game_pb2.WAITING_CHANCE:
                if ahead is None or ahead.table.events <= step.number:
                    ahead = self.client.table(self.table, self.token)
                if ahead.table.events == step.number + 1:
                    step.after = here = ahead.position
                elif after is not None:
                    held = step
                    continue
            yield step
        if held is not None:
            yield held

    def _beginning(self, options: game_pb2.Options) -> game_pb2.Position:
        return self.client.replay(self.client.new_game(options), events=0, seat=self.seat).position

    def _after(self, step: Step) -> rules_pb2.ApplyResponse | None:
        """Worked out from what can be seen here; None if others know more."""
        if step.event is None or step.before is None:
            return None
        try:
            return self.client.apply(step.before, step.event)
        except InvalidRequest:
            return None
