"""What real clients do. Every user has its own connection and its own luck, seeded by its number."""

import itertools
import random
from typing import Any

import gevent
import grpc
import grpc.experimental.gevent as grpc_gevent
from gevent import sleep
from google.protobuf.duration_pb2 import Duration
from locust import User, between, constant, task
from saloon_client import Client, NotFound, NotNow, Overloaded, SaloonError, Taken, goldgraeber, moon_river, table_bot
from saloon_client.v1 import bots_pb2, game_pb2

from load.bare import Sample
from load.measured import Meter

grpc_gevent.init_gevent()
# Every channel with a call under way waits in a thread of this pool. With gevent's ten of them, clients wait for each
# other, for seconds, and it looks as if the server did.
gevent.get_hub().threadpool.maxsize = 1000

answers = Sample()
_numbers = itertools.count()
_PART = 1_000_000  # users of different processes have different luck
_TURNS_BEFORE = 12  # games are begun in the middle, where decisions are worth thinking about


def seconds(duration: Duration) -> float:
    return duration.seconds + duration.nanos / 1e9


class Player(User):
    """Plays games of its own over Rules; subclasses think about them."""

    abstract = True
    wait_time = between(0.05, 0.3)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.number = next(_numbers) + _PART * max(0, getattr(self.environment.runner, "worker_index", 0))
        self.luck = random.Random(self.number)
        self.meter = Meter(self.environment)
        self.saloon = Client(self.host or "localhost:50051", retries=0, insecure=True, seed=self.number)
        self.game: game_pb2.GameRecord | None = None

    def on_stop(self) -> None:
        self.saloon.close()

    def situation(self) -> game_pb2.GameRecord:
        """A game in which somebody has to decide."""
        if self.game is None:
            self.game = self._new_game()
        return self.game

    def _new_game(self) -> game_pb2.GameRecord:
        options = moon_river(players=self.luck.choice([2, 3, 4]), legends=self.luck.random() < 0.3)
        if self.luck.random() < 0.3:
            options = goldgraeber(players=self.luck.choice([3, 4, 6]), prospecting=self.luck.random() < 0.5)
        with self.meter.call("Rules/NewGame"):
            game = self.saloon.new_game(options, seed=self.luck.getrandbits(32))
        for _ in range(_TURNS_BEFORE):
            with self.meter.call("Rules/LegalDecisions"):
                legal = self.saloon.legal_decisions(game)
            game = self.take(game, legal.status.seat, self.luck.choice(legal.decisions))
        return game

    def take(self, game: game_pb2.GameRecord, seat: int, *decisions: game_pb2.Decision) -> game_pb2.GameRecord:
        events = [game_pb2.Event(chosen=game_pb2.Chosen(seat=seat, decision=d)) for d in decisions]
        with self.meter.call("Rules/Apply"):
            applied = self.saloon.apply(game, *events)
        over = not applied.status.HasField("seat")
        self.game = None if over else applied.situation.record
        return self._new_game() if over else applied.situation.record

    def budget(self) -> float:
        """Seconds: most want an answer soon, some a good one."""
        return self.luck.choice([0.02, 0.05, 0.05, 0.1, 0.1, 0.25])

    def again(self, refused: Overloaded) -> None:
        """Wait as long as the server says, and a little luck."""
        sleep((refused.retry_after or 0.1) * (1 + self.luck.random()))


class Suggester(Player):
    """Asks for suggestions and takes the best."""

    @task
    def suggest(self) -> None:
        game, budget = self.situation(), self.budget()
        try:
            with self.meter.call("Bots/Suggest", budget) as call:
                answer = self.saloon.suggest(game, time=budget, timeout=budget + 0.5)
                call.queued = seconds(answer.queued)
        except Overloaded as refused:
            self.again(refused)
        else:
            answers.note(game, answer)
            self.take(game, answer.seat, answer.choice)


class TurnPlayer(Player):
    """Lets a bot play whole turns."""

    @task
    def turn(self) -> None:
        game, budget = self.situation(), self.budget() * 2
        try:
            with self.meter.call("Bots/PlayTurn", budget) as call:
                turn = self.saloon.play_turn(game, time=budget, timeout=budget + 0.5)
                call.queued = seconds(turn.answers[0].queued)
        except Overloaded as refused:
            self.again(refused)
        else:
            self.take(game, turn.answers[0].seat, *(answer.choice for answer in turn.answers))


class Analyst(Player):
    """Looks at answers as they get better, and mostly has seen enough before the end."""

    @task
    def analyze(self) -> None:
        game, enough = self.situation(), self.luck.randint(1, 6)
        try:
            stream = self.saloon.analyze(game, time=1.0)
            with self.meter.call("Bots/Analyze (first answer)", 0.02) as call:
                answer = next(stream).answer
                call.queued = seconds(answer.queued)
            with self.meter.call("Bots/Analyze (to the end or cancelled)"):
                for seen, response in enumerate(stream, 2):
                    answer = response.answer
                    if seen >= enough:
                        break
                stream.close()
        except Overloaded as refused:
            self.again(refused)
        else:
            self.take(game, answer.seat, answer.choice)


class Seated(Player):
    """Owns its game and has a bot on one of its seats; the others decide at random."""

    @task
    def play(self) -> None:
        """A whole game."""
        game = self._new_game()
        seat = self.luck.randrange(3 if game.options.HasField("goldgraeber") else game.options.moon_river.players)
        with self.saloon.sit(seat, time=0.05, ponder=self.luck.random() < 0.5) as bot:
            while True:
                with self.meter.call("Rules/LegalDecisions"):
                    try:
                        legal = self.saloon.legal_decisions(game)
                    except NotNow:
                        return
                if legal.status.seat != seat:
                    after = self.take(game, legal.status.seat, self.luck.choice(legal.decisions))
                    if after.seed == game.seed:
                        bot.watch(after)
                else:
                    try:
                        with self.meter.call("Seats/Sit (decide)", 0.05) as call:
                            decided = bot.decide(game, turn=True, timeout=15)
                            call.queued = seconds(decided.answers[0].queued)
                    except Overloaded as refused:
                        self.again(refused)
                        continue
                    after = self.take(game, seat, *(answer.choice for answer in decided.answers))
                if after.seed != game.seed:  # another game: this one is over
                    return
                game = after
                sleep(0.02)


class Host(Player):
    """Hosts a table with bots, plays one seat of it, and watches."""

    wait_time = constant(0.1)

    @task
    def host_a_game(self) -> None:
        bots = [table_bot(seat, iterations=20) for seat in (1, 2)]
        with self.meter.call("Tables/CreateTable"):
            table = self.saloon.create_table(moon_river(players=3), bots=bots).table.table
        with self.meter.call("Tables/JoinTable"):
            token = self.saloon.join(table, f"user {self.number}").token
        for _ in range(400):
            with self.meter.call("Tables/GetTable"):
                seen = self.saloon.table(table, token)
            if seen.table.status.phase == "over":
                break
            if seen.decisions:
                try:
                    with self.meter.call("Tables/Act"):
                        self.saloon.act(table, token, self.luck.choice(seen.decisions), after=seen.table.events)
                except (NotNow, Taken):
                    continue
            sleep(0.03)
        with self.meter.call("Tables/WatchTable (the beginning)"):
            for number, _ in enumerate(self.saloon.watch(table, token)):
                if number >= 10:
                    break


class Rude(Player):
    """Calls without deadlines that it gives up, nonsense, huge messages, connections that just end."""

    wait_time = constant(0.1)

    @task
    def give_up(self) -> None:
        request = bots_pb2.SuggestRequest(situation=game_pb2.Situation(record=self.situation()))
        request.budget.time.seconds = 20
        with grpc.insecure_channel(self.saloon.address) as channel:
            call: Any = channel.unary_unary("/saloon.v1.Bots/Suggest", type(request).SerializeToString).future(request)
            sleep(self.luck.random() * 0.05)
            call.cancel()

    @task
    def nonsense(self) -> None:
        where = game_pb2.Situation(position=game_pb2.Position())
        where.position.moon_river.pile.extend([self.luck.randrange(-9, 99) for _ in range(50)])
        self.meter.expect_refusal("Bots/Suggest (nonsense)", lambda: self.saloon.suggest(where, time=0.01))
        self.meter.expect_refusal("Tables/GetTable (unknown)", lambda: self.saloon.table("nowhere"))

    @task
    def huge(self) -> None:
        where = game_pb2.Situation(record=self.situation())
        where.record.components.name = "x" * (5 << 20)
        self.meter.expect_refusal("Rules/Score (huge)", lambda: self.saloon.score(where))

    @task
    def hang_up(self) -> None:
        try:
            bot = self.saloon.sit(0, time=5.0)
            bot.watch(self.situation())
            bot.close()
        except (SaloonError, NotFound):
            return


KINDS = {kind.__name__: kind for kind in (Suggester, TurnPlayer, Analyst, Seated, Host, Rude)}
