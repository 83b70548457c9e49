# May know: calls, saloon_client, engine_cy, pictures, wire, gRPC.
"""The Rules service: games, legal decisions, scores and pictures for thin clients."""

from saloon_client.v1 import game_pb2, rules_pb2_grpc
from saloon_client.v1 import rules_pb2 as pb

from engine_cy.errors import InputError
from engine_cy.game import Game
from engine_cy.registry import GAMES
from pictures import picture
from pictures.themes import DARK, LIGHT
from server.calls.context import Context
from server.calls.reading import LONG, Requests
from wire.describing import game_message
from wire.naming import naming
from wire.reading import Situation, play_event, read_seat
from wire.writing import position_message, score_messages, status_message

_MOST_EVENTS = 1000
_THEMES = {pb.THEME_UNSPECIFIED: LIGHT.name, pb.THEME_LIGHT: LIGHT.name, pb.THEME_DARK: DARK.name}


class RulesService(rules_pb2_grpc.RulesServicer):
    """See rules.proto."""

    def __init__(self, requests: Requests) -> None:
        self.requests = requests
        self._listed = pb.ListGamesResponse(
            games=[game_message(game, requests.reader.sets.of(name)) for name, game in sorted(GAMES.items())]
        )

    async def ListGames(self, request: pb.ListGamesRequest, context: Context) -> pb.ListGamesResponse:
        return self._listed

    async def NewGame(self, request: pb.NewGameRequest, context: Context) -> pb.NewGameResponse:
        rules = await self.requests.options(request.options, "options")
        game = Game(rules, request.seed if request.HasField("seed") else None)
        return pb.NewGameResponse(record=self.requests.writer.record(game), status=_status(game))

    async def LegalDecisions(self, request: pb.LegalDecisionsRequest, context: Context) -> pb.LegalDecisionsResponse:
        situation = await self.requests.situation(request.situation)
        situation.seat_to_decide()
        if len(situation.state.codes()) > LONG:
            return await self.requests.beside(self._legal_decisions, situation.game)
        return self._legal_decisions(situation.game)

    def _legal_decisions(self, game: Game) -> pb.LegalDecisionsResponse:
        return pb.LegalDecisionsResponse(
            status=_status(game),
            decisions=[self.requests.writer.decision(game.rules, decision) for decision in game.decisions()],
        )

    async def Apply(self, request: pb.ApplyRequest, context: Context) -> pb.ApplyResponse:
        if len(request.events) > _MOST_EVENTS:
            raise InputError("events", f"at most {_MOST_EVENTS}", len(request.events))
        situation = await self.requests.situation(request.situation)
        if len(situation.game.history) + len(request.events) > LONG:
            return await self.requests.beside(self._apply, situation, request)
        return self._apply(situation, request)

    def _apply(self, situation: Situation, request: pb.ApplyRequest) -> pb.ApplyResponse:
        for index, event in enumerate(request.events):
            play_event(situation.game, event, f"events[{index}]")
        return pb.ApplyResponse(situation=self.requests.writer.situation(situation), status=_status(situation.game))

    async def Replay(self, request: pb.ReplayRequest, context: Context) -> pb.ReplayResponse:
        most = request.events if request.HasField("events") else None
        if most is not None and not 0 <= most <= len(request.record.events):
            raise InputError("events", f"0 to {len(request.record.events)}, the events of the record", most)
        game = await self.requests.record(request.record, "record", most)
        state = game.state
        if request.HasField("seat"):
            seat = read_seat(request.seat, game.rules, "seat")
            with naming("record"):
                state = game.observe(seat).state
        return pb.ReplayResponse(
            position=position_message(game.rules, state), status=_status(game), events=len(game.history)
        )

    async def Score(self, request: pb.ScoreRequest, context: Context) -> pb.ScoreResponse:
        situation = await self.requests.situation(request.situation)
        return pb.ScoreResponse(scores=score_messages(situation.rules, situation.state), status=_status(situation.game))

    async def Render(self, request: pb.RenderRequest, context: Context) -> pb.RenderResponse:
        situation = await self.requests.situation(request.situation)
        if request.theme not in _THEMES:
            raise InputError("theme", "THEME_LIGHT or THEME_DARK", request.theme)
        seat = read_seat(request.seat, situation.rules, "seat") if request.HasField("seat") else None
        return await self.requests.beside(_render, situation, seat, _THEMES[request.theme])


def _render(situation: Situation, seat: int | None, theme: str) -> pb.RenderResponse:
    rules, state = situation.rules, situation.state
    return pb.RenderResponse(svg=picture(rules, state, seat, theme), text=rules.text(state))


def _status(game: Game) -> game_pb2.Status:
    return status_message(game.rules, game.state)
