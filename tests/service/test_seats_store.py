"""What bot seats need of a store, asked of every store there is, by two processes that share it."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from server.stores.seats import REMEMBERED, WHOLE, Gone, SeatStore, StoredDecision, StoredSession
from server.stores.tables import StoredBot
from tests.service.kept import Kept, opened

BOT = StoredBot("max", 2**64 - 1, "outlaw", {"win": 0.5}, time=0.25, iterations=30)
SESSION = StoredSession("s", 2, BOT, True, "Ann")


def decision(number: int, name: str = "") -> StoredDecision:
    return StoredDecision(name or f"d{number}", b"%d" % number, b"choice %d" % number, b"whole %d" % number)


def stores(kept: Kept, work: Callable[[SeatStore, SeatStore], Awaitable[None]]) -> None:
    async def run() -> None:
        async with opened(kept) as (one, two):
            await work(one.seats, two.seats)

    asyncio.run(run())


def test_a_session_goes_on_at_another_process(kept: Kept) -> None:
    """With its bot and all that was decided; the stream of before cannot decide any more."""

    async def work(one: SeatStore, two: SeatStore) -> None:
        await one.create(SESSION)
        for number in range(3):
            assert await one.remember(SESSION, decision(number)) == decision(number)
        found = await two.resume("s", attended=False)
        assert found == (replace(SESSION, turn=2, decisions=3), ["d0", "d1", "d2"])
        assert await two.decision("s", "d1") == decision(1)
        assert await two.decision("s", "other") is None
        with pytest.raises(Gone):
            await one.remember(SESSION, decision(3))
        assert await two.remember(found[0], decision(3)) == decision(3)
        assert (await one.served_here(), {*await two.served_here()}) == (set(), {("s", 2)})
        await one.leave(SESSION)  # it does not know yet
        assert {*await two.served_here()} == {("s", 2)}
        assert await two.forget("s") == 4
        assert await two.forget("s") == 0
        assert await one.resume("s", attended=False) is None
        assert await one.look("s") is None
        assert await one.decision("s", "d1") is None
        with pytest.raises(Gone):
            await two.remember(found[0], decision(4))

    stores(kept, work)


def test_a_decision_is_remembered_once(kept: Kept) -> None:
    """Whoever decides it again, at the same time as well, is told the first."""

    async def work(one: SeatStore, two: SeatStore) -> None:
        session = replace(SESSION, attended=True)
        await one.create(session)
        for round in range(10):
            asked = [decision(number, f"r{round}") for number in range(4)]
            told = await asyncio.gather(
                *(store.remember(session, each) for store, each in zip((one, two) * 2, asked, strict=True))
            )
            assert len({*told}) == 1
            assert await one.decision("s", f"r{round}") == told[0]
        assert (await two.look("s")).decisions == 10  # type: ignore[union-attr]

    stores(kept, work)


def test_old_answers_become_short_and_are_forgotten_at_last(kept: Kept) -> None:
    async def work(one: SeatStore, two: SeatStore) -> None:
        await one.create(SESSION)
        for number in range(REMEMBERED + 5):
            await one.remember(SESSION, decision(number))
        found = await two.resume("s", attended=True)
        assert found is not None
        assert found[1] == [f"d{number}" for number in range(5, REMEMBERED + 5)]
        kept_whole = [name for name in found[1] if (await two.decision("s", name)).whole]  # type: ignore[union-attr]
        assert kept_whole == found[1][-WHOLE:]
        assert (await two.decision("s", "d9")) == replace(decision(9), whole=None)

    stores(kept, work)


def test_a_session_waits_for_a_while(kept: Kept) -> None:
    """Once its stream has ended, or the process of that is gone."""

    async def work(one: SeatStore, two: SeatStore) -> None:
        for name in ("served", "left", "of one that is gone", "resumed"):
            session = replace(SESSION, name=name)
            if name == "of one that is gone":
                async with opened(kept, 1) as (gone,):
                    await gone.seats.create(session)
            else:
                await one.create(session)
        for name in ("left", "resumed"):
            await one.leave(replace(SESSION, name=name))
        await two.resume("resumed", attended=True)
        await two.tidy(3600)
        for _ in range(20):  # that a process is gone is not known in the same moment
            await two.tidy(-1)
            await asyncio.sleep(0.05)
        found = {name for name in ("served", "left", "of one that is gone", "resumed") if await one.look(name)}
        assert found == {"served", "resumed"}

    stores(kept, work)
