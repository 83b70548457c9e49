"""Short ways to write the contract's messages."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal, TypedDict, Unpack, get_args

from google.protobuf.duration_pb2 import Duration

from saloon_client.v1 import bots_pb2, game_pb2, goldgraeber_pb2, moon_river_pb2, tables_pb2

AnySituation = game_pb2.Situation | game_pb2.GameRecord | game_pb2.Position
State = Literal["open", "under_way", "over"]  # of a table
AnyEvent = game_pb2.Event | game_pb2.Chosen | game_pb2.Chance | bots_pb2.Answer


class Cost(TypedDict, total=False):
    """What an answer may cost."""

    time: float | timedelta
    """So many seconds at most; 1 if neither time nor iterations are given."""
    iterations: int
    """So many iterations at most."""


class Thinking(Cost, total=False):
    """What an answer may cost, and how a bot thinks: the keywords of every call that makes one think."""

    level: str | int
    """"1" to "10", or "max"."""
    personality: str
    """What it likes, as `bots()` lists it."""
    seed: int
    """The seed of its luck; with a budget of iterations only, the same seed gives the same answer."""
    search: bots_pb2.SearchSettings
    """The knobs of the search, for those who experiment."""


class Listing(TypedDict, total=False):
    """Which tables are to be listed: those of which all is true."""

    only_free: bool
    """With a free seat."""
    game: str
    """Such as "moon_river"."""
    seats: int
    """So many."""
    state: State
    """How far the game has come."""
    mine: bool
    """Those that the person who asks made or sits at, by invitation, too."""
    account: str
    """Who asks, from clients that may say for whom they call; else it is the person whose token it is."""
    made_from: datetime
    """Made then or later."""
    made_before: datetime
    """Made earlier."""


def listing(wanted: Listing) -> tables_pb2.ListTablesRequest:
    """ValueError if it could not be understood."""
    rest = dict(wanted)
    request = tables_pb2.ListTablesRequest(page_size=100)
    for name in ("made_from", "made_before"):
        time = rest.pop(name, None)
        if isinstance(time, datetime):
            if time.tzinfo is None:
                raise ValueError(f"{name}: expected a time with its zone, such as datetime.now(UTC), got {time}")
            getattr(request, name).FromDatetime(time)
    state = rest.pop("state", None)
    if state is not None:
        if state not in get_args(State):
            raise ValueError(f"state: expected one of {', '.join(get_args(State))}, got {state!r}")
        request.state = tables_pb2.TableState.Value(f"TABLE_STATE_{str(state).upper()}")
    for name, value in rest.items():
        setattr(request, name, value)
    return request


def moon_river(
    players: int = 4,
    *,
    legends: bool = False,
    scenario: str | int = 0,
    boards: Sequence[str] = (),
    components: str = "",
) -> game_pb2.Options:
    """The options of a table of Moon River; a scenario by name, such as "gold_rush", or by its enum value;
    `components` is the hash of one of the server's own sets."""
    options = moon_river_pb2.MoonRiverOptions(players=players, legends=legends, boards=boards)
    if isinstance(scenario, str):
        known = moon_river_pb2.MoonRiverScenario
        prefix = "MOON_RIVER_SCENARIO_"
        names = [name.removeprefix(prefix).lower() for name in known.keys() if known.Value(name)]  # noqa: SIM118
        if scenario not in names:
            raise ValueError(f"scenario: expected one of {', '.join(names)}, got {scenario!r}")
        options.scenario = known.Value(prefix + scenario.upper())
    elif scenario:
        options.scenario = moon_river_pb2.MoonRiverScenario.ValueType(scenario)
    return game_pb2.Options(moon_river=options, components=_own(components))


def goldgraeber(
    players: int = 4,
    *,
    prospecting: bool = False,
    map: str | None = None,
    colours: Sequence[int] = (),
    components: str = "",
) -> game_pb2.Options:
    """The options of a table of Goldgräber; the first houses unless others are named; `components` is the hash of one
    of the server's own maps."""
    options = goldgraeber_pb2.GoldgraeberOptions(players=players, prospecting=prospecting, map=map, colours=colours)
    return game_pb2.Options(goldgraeber=options, components=_own(components))


def _own(components: str) -> game_pb2.ComponentSet | None:
    return game_pb2.ComponentSet(hash=components) if components else None


def situation(where: AnySituation) -> game_pb2.Situation:
    """A position or a record as the situation it is."""
    match where:
        case game_pb2.Situation():
            return where
        case game_pb2.GameRecord():
            return game_pb2.Situation(record=where)
        case game_pb2.Position():
            return game_pb2.Situation(position=where)
    raise TypeError(f"expected a GameRecord, a Position or a Situation, got {type(where).__name__}")


def event(what: AnyEvent) -> game_pb2.Event:
    """A decision taken or a chance event as an event; of an answer, what the bot chose."""
    match what:
        case game_pb2.Event():
            return what
        case game_pb2.Chosen():
            return game_pb2.Event(chosen=what)
        case game_pb2.Chance():
            return game_pb2.Event(chance=what)
        case bots_pb2.Answer():
            return chosen(what.seat, what.choice)
    raise TypeError(f"expected an Event, a Chosen, a Chance or an Answer, got {type(what).__name__}")


def chosen(seat: int, decision: game_pb2.Decision) -> game_pb2.Event:
    """The event that a seat decided."""
    return game_pb2.Event(chosen=game_pb2.Chosen(seat=seat, decision=decision))


def events(what: Iterable[AnyEvent]) -> list[game_pb2.Event]:
    return [event(one) for one in what]


def duration(time: float | timedelta) -> Duration:
    message = Duration()
    message.FromNanoseconds(round(seconds(time) * 1e9))
    return message


def seconds(time: float | timedelta) -> float:
    return time.total_seconds() if isinstance(time, timedelta) else float(time)


def budget(how: Cost) -> bots_pb2.Budget | None:
    """What an answer may cost; None if nothing was said."""
    if "time" not in how and "iterations" not in how:
        return None
    return bots_pb2.Budget(
        time=duration(how["time"]) if "time" in how else None,
        iterations=how.get("iterations"),
    )


def bot(how: Thinking) -> bots_pb2.BotSettings:
    only(Thinking, how)
    return bots_pb2.BotSettings(
        level=str(how.get("level", "")),
        personality=how.get("personality", ""),
        seed=how.get("seed"),
        search=how.get("search"),
    )


def only(known: Any, given: Cost) -> None:
    unknown = sorted(set(given) - known.__optional_keys__)
    if unknown:
        raise TypeError(f"{unknown[0]}: no such keyword; known are {', '.join(sorted(known.__optional_keys__))}")


def table_bot(seat: int, *, name: str = "", **how: Unpack[Thinking]) -> tables_pb2.TableBot:
    """A bot for a seat of a hosted table."""
    return tables_pb2.TableBot(seat=seat, bot=bot(how), budget=budget(how), name=name)


def turn_clock(
    each: float | timedelta, /, *, takes_seat: bool = False, **how: Unpack[Thinking]
) -> tables_pb2.TurnClock:
    """So many seconds for each turn of a person; then such a bot decides the turn, or takes the seat."""
    then = tables_pb2.TIME_OUT_SEAT if takes_seat else tables_pb2.TIME_OUT_TURN
    return tables_pb2.TurnClock(time=duration(each), then=then, bot=bot(how), budget=budget(how))
