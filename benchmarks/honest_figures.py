"""What many reviews say together: whether luck is nothing on average, and whether better play looks better."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from statistics import correlation, pvariance
from typing import Any

from search.calibration import Said, bins, picture
from search.plot import climbs
from search.stats import mean_by_game

LADDER = ("1", "3", "5", "7", "9")


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat of a game that was reviewed."""

    level: str
    accuracy: float | None  # None: it decided nothing
    decisions: int
    given: float
    expected: float
    luck: float
    lost: float
    result: float


@dataclass(frozen=True, slots=True)
class Row:
    """A game that was reviewed."""

    number: int
    seats: list[SeatRow]
    said: list[tuple[float, ...]]  # how likely every seat was said to win, at some moments

    @property
    def equals(self) -> bool:
        return len({seat.level for seat in self.seats}) == 1

    def plain(self) -> dict[str, Any]:
        seats = [[_short(value) for value in astuple(seat)] for seat in self.seats]
        return {"number": self.number, "seats": seats, "said": [[*map(_short, wins)] for wins in self.said]}

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> "Row":
        return cls(plain["number"], [SeatRow(*seat) for seat in plain["seats"]], [tuple(w) for w in plain["said"]])


def _short(value: Any) -> Any:
    return round(value, 6) if isinstance(value, float) else value


Games = Sequence[Row]


def report(tables: Mapping[str, Games]) -> dict[str, Any]:
    return {name: _table(games) for name, games in tables.items()}


def _table(games: Games) -> dict[str, Any]:
    seats = [(game, seat) for game in games for seat in game.seats]
    moved = [seat.result - seat.expected for _, seat in seats]
    luck = [seat.luck for _, seat in seats]
    left = pvariance([seat.result - seat.expected - seat.luck for _, seat in seats]) / pvariance(moved)
    return {
        "games": len(games),
        # Results are expectation, luck and what was lost: by how much the sum is off where it is most, as it was kept.
        "off": round(max(abs(seat.result - seat.expected - seat.luck - seat.lost) for _, seat in seats), 5),
        "luck_and_result": round(correlation(luck, moved), 3),
        "variance_left": round(left, 3),
        # How much more of a win a seat has, for each part of a win that it was told as luck: 1 if luck tells true.
        "luck_shows": mean_by_game(
            (game.number, seat.luck**2, (seat.result - seat.expected) / seat.luck) for game, seat in seats if seat.luck
        ).plain(),
        "luck_by_seat": [
            mean_by_game((game.number, 1, game.seats[seat].luck) for game in games).plain()
            for seat in range(len(games[0].seats))
        ],
        "levels": {level: _level(games, level) for level in LADDER if any(seat.level == level for _, seat in seats)},
        "win": _reliable(wins_said(games)),
        "luck_alone": _reliable(luck_said(games)),
    }


def _level(games: Games, level: str) -> dict[str, Any]:
    """All seats of a level. Luck and what was lost in their own games alone would be nothing by themselves: all seats'
    together are. So they count where levels met."""
    met = [game for game in games if not game.equals]
    return {
        "seats": sum(seat.level == level for game in games for seat in game.seats),
        "accuracy": _mean(games, level, lambda seat: seat.accuracy, lambda _: 1),
        "given_away": _mean(games, level, lambda seat: seat.given / max(1, seat.decisions), lambda s: s.decisions),
        "luck": _mean(met, level, lambda seat: seat.luck, lambda _: 1),
        "lost": _mean(met, level, lambda seat: seat.lost, lambda _: 1),
    }


def _mean(
    games: Games, level: str, value: Callable[[SeatRow], float | None], weight: Callable[[SeatRow], float]
) -> dict[str, Any] | None:
    """Over the seats of a level; None if there are none."""
    found = [
        (game.number, weight(seat), worth)
        for game in games
        for seat in game.seats
        if seat.level == level and (worth := value(seat)) is not None
    ]
    return mean_by_game(found).plain() if found else None


def wins_said(games: Games) -> list[Said]:
    """How likely seats were said to win, where equals played: what is said supposes that all play alike."""
    return [
        _said(game, wins[seat], own.result)
        for game in games if game.equals
        for wins in game.said
        for seat, own in enumerate(game.seats)
    ]  # fmt: skip


def luck_said(games: Games) -> list[Said]:
    """What luck alone would have made of the game, where equals played: between nothing and a win."""
    return [
        _said(game, min(1.0, max(0.0, seat.expected + seat.luck)), seat.result)
        for game in games if game.equals
        for seat in game.seats
    ]  # fmt: skip


def _said(game: Row, win: float, won: float) -> Said:
    return Said(game.number, 1, win, 0.0, won, 0)


def _reliable(said: Sequence[Said]) -> list[dict[str, Any]]:
    return [
        {"said": round(each.said, 3), "came": each.came.plain(), "number": each.decisions}
        for each in (bins(said) if said else [])
    ]


def pictures(tables: Mapping[str, Games]) -> dict[str, str]:
    """By the name of their file: whether what was said came, for each game, and how levels fare."""
    drawn = {}
    for game in dict.fromkeys(name.rsplit("-", 1)[0] for name in tables):
        rows = _together([games for name, games in tables.items() if name.rsplit("-", 1)[0] == game])
        for what, title, found, of in (
            ("wins", "how likely a seat was said to win", wins_said(rows), "times that it was said"),
            ("luck", "what luck alone would have made of it", luck_said(rows), "seats"),
        ):
            if found:
                drawn[f"review-{what}-{game}"] = picture(found, f"{game}, games of equals: {title}", of)
    given = {
        name: [row["given_away"]["mean"] for row in _table(games)["levels"].values()] for name, games in tables.items()
    }
    drawn["review-levels"] = climbs(given, LADDER, "What a decision gives away, in parts of a win", 0.01, ".1%")
    return drawn


def _together(tables: Iterable[Games]) -> list[Row]:
    """Games of several tables, told apart by number."""
    return [Row(number, row.seats, row.said) for number, row in enumerate(row for games in tables for row in games)]
