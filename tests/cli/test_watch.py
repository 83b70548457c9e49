"""`saloon watch` lists tables and shows one as it is played."""

import re

import pytest
from saloon_client import Client, goldgraeber, moon_river, table_bot, turn_clock

from tests.cli.conftest import Saloon


@pytest.fixture(scope="module")
def table(address: str) -> str:
    """A table of bots."""
    with Client(address) as client:
        bots = [table_bot(seat, level=1, name=name) for seat, name in enumerate(("Ann", "Big Jo", "Mary"))]
        return client.create_table(moon_river(players=3), bots=bots, seed=2).table.table


def test_a_game_to_its_end(table: str, address: str, saloon: Saloon) -> None:
    said = saloon("watch", table, "--address", address).stdout
    assert "seats  0: Ann, 1: Big Jo, 2: Mary" in said
    assert "   0 drawn: to the saloon: " in said
    assert "Big Jo: select position" in said
    assert re.search(r"(Ann|Big Jo|Mary) takes place \d of the next column, the only one left", said) is None
    assert re.search(r"^ +(Ann|Big Jo|Mary) takes \S.* from the column$", said, re.MULTILINE)
    assert re.search(r"(a cow comes|\d cows come) to (Ann|Big Jo|Mary)'s ", said)
    assert "The game is over" in said


def test_goldgraeber_to_its_end(address: str, saloon: Saloon) -> None:
    """With the map; and of what bots look at in secret only that they do."""
    with Client(address) as client:
        bots = [table_bot(seat, level=1, name=name) for seat, name in enumerate(("Ann", "Bo", "Cy"))]
        options = goldgraeber(players=3, prospecting=True, colours=[4, 2, 0])
        table = client.create_table(options, bots=bots, seed=2).table.table
    said = saloon("watch", table, "--address", address).stdout
    assert re.search(r"^ +\d+ (Ann|Bo|Cy) begins$", said, re.MULTILINE)
    looks = re.findall(r"(?:Ann|Bo|Cy): prospect\n *\d+ (.*)", said)
    assert looks
    assert not any(look.startswith("seen at") for look in looks)
    assert "Ann (E)" in said
    assert "Goldgräber, with prospecting: it is over" in said


def test_bots_of_one_level_in_words(address: str, saloon: Saloon) -> None:
    """Who rolls, finds, fights and wins, by names apart, and the map after every turn."""
    with Client(address) as client:
        bots = [table_bot(seat, level=3, seed=seat) for seat in range(3)]
        table = client.create_table(goldgraeber(players=3), bots=bots, seed=3).table.table
    said = saloon("watch", table, "--address", address).stdout
    bot = r"Bot \(level 3\) #[012]"
    assert set(re.findall(bot, said)) == {f"Bot (level 3) #{seat}" for seat in range(3)}
    for words in (
        rf"^ +\d+ {bot} rolls [2-6]",
        rf"^ +\d+ {bot} rolls the locomotive: it goes to [a-q]\d+, \d+ to the city",
        rf"^ +\d+ {bot} turns up (\d gold|a robber of \d) at [a-q]\d+",
        rf"^ +\d+ {bot} rolls \d against (\d|a robber of \d) and (wins|loses)",
        rf"^ +{bot} brings home ",
    ):
        assert re.search(words, said, re.MULTILINE), words
    turns = len(re.findall(r"rolls [2-6]$|rolls the locomotive", said, re.MULTILINE))
    assert said.count("Goldgräber: Bot") > turns / 2
    later = saloon("watch", table, "--address", address, "--no-board", "--first", "100").stdout
    assert later.count("Goldgräber: ") == 2
    assert not re.search(r"^ +99 ", later, re.MULTILINE)
    assert re.search(rf"^ +\d+ {bot} rolls [2-6]", later, re.MULTILINE)


def test_the_list(table: str, address: str, saloon: Saloon) -> None:
    with Client(address) as client:
        client.create_table(moon_river(players=2))
    said = saloon("watch", "--address", address).stdout
    assert table in said
    assert "Ann, Big Jo, Mary" in said
    assert "players" in said


def test_times_of_turns(address: str, saloon: Saloon) -> None:
    """Told where they are agreed, and where one runs out."""
    with Client(address) as client:
        made = client.create_table(
            moon_river(players=2), bots=[table_bot(1, level=1)], seed=1, clock=turn_clock(5, takes_seat=True, level=1)
        )
        client.join(made.table.table, "Ann")
        listed = saloon("watch", "--address", address).stdout
        assert re.search(rf"^ *{made.table.table} +Ann, Bot \(level 1\) +5 s ", listed, re.MULTILINE)
        said = saloon("watch", made.table.table, "--address", address).stdout
    assert said.count("the time of Ann has run out: Bot (level 1) takes the seat") == 1
    assert "The game is over" in said


def test_no_such_table(address: str, saloon: Saloon) -> None:
    assert "saloon: " in saloon("watch", "nowhere", "--address", address, code=1).stderr
