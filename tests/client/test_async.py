"""The client for programs on asyncio, against a real server."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable

import pytest
from saloon_client import AsyncClient, Client, InvalidRequest, NotReachable, Overloaded, chosen, moon_river, table_bot
from saloon_client.channel import CALLS_OF_CHANNEL
from saloon_client.v1 import game_pb2, tables_pb2

from tests.client.proxy import proxy


def run(address: str, work: Callable[[AsyncClient], Awaitable[None]]) -> None:
    async def begin() -> None:
        async with AsyncClient(address, seed=1) as saloon:
            await work(saloon)

    asyncio.run(begin())


def test_both_clients_can_do_the_same() -> None:
    assert {name for name in dir(Client) if not name.startswith("_")} == {
        name for name in dir(AsyncClient) if not name.startswith("_")
    }


def test_bots_and_rules(address: str) -> None:
    async def work(saloon: AsyncClient) -> None:
        assert "moon_river" in [info.name for info in await saloon.games()]
        assert (await saloon.bots()).levels[-1].name == "max"
        game = await saloon.new_game(moon_river(players=3), seed=1)
        answers = await asyncio.gather(*(saloon.suggest(game, iterations=100, seed=4) for _ in range(3)))
        assert all(answer.suggestions == answers[0].suggestions for answer in answers)
        turn = await saloon.play_turn(game, level=2, time=0.1)
        after = await saloon.apply(game, *turn.answers)
        assert (await saloon.legal_decisions(after.situation)).decisions
        assert len((await saloon.score(after.situation)).scores) == 3
        assert (await saloon.replay(game, seat=0)).position.HasField("moon_river")
        assert (await saloon.render(game)).text

    run(address, work)


def test_hundreds_of_calls_at_once(address: str) -> None:
    """More than a server takes of one connection, and more than it takes of one client."""

    async def work(saloon: AsyncClient) -> None:
        for levels in await asyncio.gather(*(saloon.bots(timeout=60) for _ in range(500))):
            assert levels.levels
        games = (saloon.create_table(moon_river(players=2), timeout=60) for _ in range(300))
        ends = await asyncio.gather(*games, return_exceptions=True)  # which are not sent again
        kinds = Counter(type(end) for end in ends)
        assert kinds.pop(Overloaded, 0) + kinds.pop(tables_pb2.CreateTableResponse) == 300, kinds
        assert all(end.retry_after is not None for end in ends if isinstance(end, Overloaded))
        assert len(saloon._lines.channels) == 500 / CALLS_OF_CHANNEL
        assert not any(line.calls for line in saloon._lines._lines)

    run(address, work)


def test_analyses(address: str) -> None:
    async def work(saloon: AsyncClient) -> None:
        game = await saloon.new_game(moon_river(players=3), seed=1)
        finals = [answer.final async for answer in saloon.analyze(game, time=0.2)]
        assert finals[-1]
        assert not any(finals[:-1])
        running = saloon.analyze(game, time=20)
        await anext(running)
        await running.aclose()
        with pytest.raises(InvalidRequest):
            await anext(saloon.analyze(game, level=1))

    run(address, work)


def test_a_cut_connection_decides_nothing_twice(address: str) -> None:
    async def work(saloon: AsyncClient) -> None:
        game = await saloon.new_game(moon_river(players=2), seed=3)
        seat = (await saloon.replay(game)).status.seat
        with proxy(address) as wire:
            async with AsyncClient(wire.address, seed=1) as far, far.sit(seat, time=0.4) as bot:
                loop = asyncio.get_running_loop()
                loop.call_later(0.2, wire.cut)
                first = await bot.decide(game, id="one")
                assert not first.from_memory
                assert wire.connections == 2
                wire.cut()
                await asyncio.sleep(0.1)
                again = await bot.decide(game, id="one")
                assert again.from_memory
                assert again.answers == first.answers
                after = await saloon.apply(game, first.answers[0])
                await bot.watch(after.situation)
                await bot.close()
                assert (await bot.decide(game, id="two", turn=True, iterations=30)).answers
                assert await bot.leave() == 2

    run(address, work)


def test_the_end_of_a_game_is_a_goodbye(address: str, caplog: pytest.LogCaptureFixture) -> None:
    async def work(saloon: AsyncClient) -> None:
        game = await saloon.new_game(moon_river(players=2), seed=3)
        async with saloon.sit(0, level=1) as bot:
            while (status := (await saloon.replay(game)).status).waiting != game_pb2.WAITING_OVER:
                decision = (await saloon.legal_decisions(game)).decisions[0]
                game = (await saloon.apply(game, chosen(status.seat, decision))).situation.record
            await bot.watch(game)

    run(address, work)
    # gRPC may still finish a cancelled call of an earlier test's event loop, and complains in the next one that runs.
    assert not [record for record in caplog.records if "PollerCompletionQueue" not in record.getMessage()]


def test_a_hosted_game(address: str) -> None:
    async def work(saloon: AsyncClient) -> None:
        made = await saloon.create_table(moon_river(players=2), bots=[table_bot(s, level=1) for s in (0, 1)], seed=4)
        name = made.table.table
        numbers = [u.event.number async for u in saloon.watch(name) if u.HasField("event")]
        assert numbers == list(range(len(numbers)))
        assert name in [table.table async for table in saloon.tables()]
        assert (await saloon.table(name)).table.status.waiting == game_pb2.WAITING_OVER
        assert len((await saloon.export_table(name)).events) == len(numbers)

    run(address, work)


def test_nobody_there() -> None:
    async def work(saloon: AsyncClient) -> None:
        with pytest.raises(NotReachable, match="saloon serve"):
            await saloon.games()
        with pytest.raises(NotReachable):
            await saloon.sit(0).decide(game_pb2.GameRecord())

    run("127.0.0.1:1", work)
