"""Component sets of an operator's own: listed, named by their hash, and what is said where one is missing."""

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest
from saloon_client import Client, InvalidRequest, NotNow, goldgraeber, moon_river, table_bot
from saloon_client.v1 import game_pb2, rules_pb2

from engine_cy import GoldenMap, MoonRiverComponents
from engine_cy.goldgraeber.components import STANDARD
from server.basics.settings import ConfigError
from server.process.service import Service
from tests.service.running import serving
from tests.tables import DATA

SCARCE, CROWDED = DATA / "scarce.toml", DATA / "crowded.toml"
HASH = MoonRiverComponents.load(SCARCE).digest


@pytest.fixture(scope="module")
def other_city(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The printed map under another name, which makes it another set."""
    path = tmp_path_factory.mktemp("maps") / "other.toml"
    path.write_text(STANDARD.read_text(encoding="utf-8").replace("golden-city", "other-city"), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, other_city: Path) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("service")
    with serving(folder, components=[SCARCE, other_city, CROWDED, SCARCE]) as service:
        yield service


@pytest.fixture(scope="module")
def saloon(service: Service) -> Iterator[Client]:
    with Client(service.address) as client:
        yield client


def infos(saloon: Client) -> dict[str, rules_pb2.GameInfo]:
    return {info.name: info for info in saloon.games()}


def test_all_sets_are_listed_in_their_order(saloon: Client, other_city: Path) -> None:
    games = infos(saloon)
    own = games["moon_river"].own_sets
    assert [each.component_set.name for each in own] == ["scarce", "crowded"]
    assert own[0].component_set.hash == HASH
    assert own[0].components.moon_river.cows == 3
    boards = next(field for field in own[0].options if field.name == "boards")
    assert list(boards.choices) == list(MoonRiverComponents.load(SCARCE).legends_boards)
    assert games["moon_river"].component_set.name == "moon-river-standard"
    (city,) = games["goldgraeber"].own_sets
    assert city.component_set.hash == GoldenMap.load(other_city).digest


def test_a_game_is_played_with_it_from_end_to_end(saloon: Client) -> None:
    """As a record and as positions: bots decide, the set is named in all that is told, and it goes on with that."""
    record = saloon.new_game(moon_river(2, components=HASH), seed=4)
    assert record.components.hash == record.options.components.hash == HASH
    assert record.components.name == "scarce"
    position = saloon.replay(record).position
    assert position.components.hash == HASH
    told = saloon.suggest(position, iterations=40, seed=1)
    assert told.suggestions == saloon.suggest(record, iterations=40, seed=1).suggestions
    assert told.beliefs.moon_river.plots
    while saloon.score(record).status.waiting != game_pb2.WAITING_OVER:
        turn = saloon.play_turn(record, level="1", seed=2)
        record = saloon.apply(record, *turn.answers).situation.record
    assert saloon.replay(record).position.components.hash == HASH
    assert "scarce" not in saloon.new_game(moon_river(2), seed=4).components.name


def test_the_same_options_with_other_sets_are_other_games(saloon: Client) -> None:
    """What was read lately is not mixed up: neither rules nor records."""
    texts: dict[str, str] = {}
    for name in ("", HASH, MoonRiverComponents.load(CROWDED).digest, ""):
        record = saloon.new_game(moon_river(2, components=name), seed=4)
        text = saloon.render(record).text
        assert texts.setdefault(name, text) == text
        if name:
            record.options.ClearField("components")  # the record names it, too
            assert saloon.render(record).text == text
    assert len(set(texts.values())) == 3


def test_a_map_of_ones_own(saloon: Client, other_city: Path) -> None:
    record = saloon.new_game(goldgraeber(3, components=GoldenMap.load(other_city).digest), seed=4)
    assert record.options.goldgraeber.map == "other-city"
    assert saloon.suggest(saloon.replay(record).position, iterations=20, seed=1).choice.text


@pytest.mark.parametrize(
    ("field", "hash_"),
    [("options", "no hash"), ("options", "f" * 64), ("options", GoldenMap.load(STANDARD).digest)],
)
def test_a_set_that_is_not_here_is_told_in_words(saloon: Client, field: str, hash_: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        saloon.new_game(moon_river(2, components=hash_))
    said = str(caught.value)
    assert f"{field}.components.hash: expected a component set that is here: moon-river-standard (" in said
    assert "scarce (" in said
    assert hash_[:12] in said


def test_a_record_says_which_set_is_missing(saloon: Client) -> None:
    record = saloon.new_game(moon_river(2, components=HASH), seed=4)
    record.components.name, record.components.hash = "Grandma's", "ab" * 32
    record.options.ClearField("components")
    with pytest.raises(InvalidRequest, match=r"situation.record.components.hash: .* got .Grandma's \(abababababab"):
        saloon.suggest(record, iterations=1)
    record.components.hash = HASH
    record.options.components.hash = MoonRiverComponents.load(CROWDED).digest
    with pytest.raises(InvalidRequest, match=f"situation.record.options.components.hash: expected '?{HASH}"):
        saloon.suggest(record, iterations=1)


def test_a_position_of_another_set_is_refused(saloon: Client) -> None:
    position = saloon.replay(saloon.new_game(moon_river(2, components=HASH), seed=4)).position
    position.components.hash = "ab" * 32
    with pytest.raises(InvalidRequest, match=r"situation.position.components.hash: expected a component set"):
        saloon.suggest(position, iterations=1)
    position.ClearField("components")  # then it is one of the printed set, which has other plots
    with pytest.raises(InvalidRequest, match=r"situation.position.moon_river"):
        saloon.suggest(position, iterations=1)


def test_tables_are_played_with_it_and_wait_for_it(tmp_path: Path) -> None:
    """After a restart without the set other tables go on; this one says what it lacks, and goes on once it is there."""
    with serving(tmp_path, components=[SCARCE]) as service, Client(service.address) as client:
        bots = [table_bot(seat, level="1", seed=1) for seat in (0, 1)]
        own = client.create_table(moon_river(2, components=HASH), bots=bots[:1], seed=1).table
        printed = client.create_table(moon_river(2), bots=bots[:1], seed=1).table
        assert own.options.components.name == "scarce"
    with serving(tmp_path) as service, Client(service.address, retries=0) as client:
        listed = {table.table: table for table in client.tables()}
        assert listed[own.table].options.components.hash == HASH
        assert client.table(printed.table).table.options == printed.options
        with pytest.raises(NotNow, match=f"table {own.table} cannot be played here: .*{HASH[:12]}"):
            client.table(own.table)
    with serving(tmp_path, components=[SCARCE]) as service, Client(service.address) as client:
        client.join(own.table, "Ann")
        assert client.table(own.table).table.options.components.hash == HASH


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("format = 1\nrows = 3", "(for goldgraeber): name: expected a value"),
        ("format = 1\nname = 'x'\nplot = []", "(for moon_river): cows: expected a value"),
        ("no toml", "expected a TOML file"),
        ("", "format"),
    ],
)
def test_a_wrong_file_is_named_at_the_start(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught, serving(tmp_path, components=[path]):
        pass
    assert str(caught.value).startswith(f"components: {path}")
    assert problem in str(caught.value)


def test_a_missing_file_and_several_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        pytest.raises(ConfigError, match=r"components: expected a file, got '.*nowhere.toml'"),
        serving(tmp_path, components=[tmp_path / "nowhere.toml"]),
    ):
        pass
    monkeypatch.setenv("SALOON_COMPONENTS", f"{SCARCE}:{CROWDED}")
    with serving(tmp_path) as service, Client(service.address) as client:
        assert len(infos(client)["moon_river"].own_sets) == 2


def test_what_its_page_shows_runs(saloon: Client) -> None:
    page = (Path(__file__).parent.parent.parent / "docs" / "components.md").read_text(encoding="utf-8")
    block = re.search(r"\n((?: {4}(?!saloon serve).*\n)+)", page)
    assert block
    known = {"saloon": saloon, "moon_river": moon_river}
    exec(dedent(block[1]), known)
    assert known["record"].components.hash == HASH  # type: ignore[attr-defined]
