"""Over Ray everything comes out as on this machine alone, whatever happens to workers. The Ray here is a real one."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent import futures
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import grpc
import psutil
import pytest

from engine_cy import Game, Generator, MoonRiver, OptionError
from engine_cy.own_record import OwnRecord
from engine_cy.records import Record
from saloon.ports import free_port
from search.arena import Match, run
from search.cluster import Cluster, Interrupts
from search.levels import measure
from search.player import Budget, Limit, Question
from search.review import Reviewer, review
from search.review_spread import review_by
from search.search_player import SearchPlayer, local
from search.simple_players import levels
from search.spread import spread
from tests.cli.test_trace import saloon
from tests.search.test_think import TABLES, timeless, view_of, views
from tests.tables import DATA, advance

ROOT = Path(__file__).parent.parent.parent

pytestmark = pytest.mark.xdist_group("ray")  # one Ray at a time

MATCH = ("arena", "--a", "ismcts:iterations=25", "--b", "greedy", "--players", "3", "--seed", "4")
# This machine alone may reach it, and only with this token.
SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    "RAY_AUTH_MODE": "token",
    "RAY_AUTH_TOKEN": "cafe" * 16,
}


class Here:
    """Workers without Ray, that keep what they were told."""

    cores = 2

    def __init__(self) -> None:
        self.told: list[str] = []

    def map(self, work: Callable[[str], str], texts: Iterable[str]) -> Iterator[str]:
        for text in texts:
            self.told.append(text)
            yield work(text)


@pytest.fixture(scope="module")
def head() -> Iterator[psutil.Process]:
    """A Ray of two cores, as an operator starts one. It may find a port taken that it wanted: then another is tried."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in SETTINGS.items():
            patch.setenv(name, value)
        for last in (False, False, True):
            with TemporaryDirectory(prefix="ray", dir="/tmp") as folder, (Path(folder) / "said").open("w+b") as said:
                process = subprocess.Popen(command(folder), stdout=said, stderr=subprocess.STDOUT)
                try:
                    if address_of(process):
                        yield psutil.Process(process.pid)
                        return
                    said.seek(0)
                    assert not last, f"Ray did not start: {said.read().decode()}"
                finally:
                    process.terminate()
                    process.wait(20)


def command(folder: str) -> list[str]:
    client_port = free_port()  # Ray takes any free one for all its ports but this
    return [
        str(Path(sys.executable).with_name("ray")), "start", "--head", "--block", "--num-cpus=2", "--port=0",
        "--object-store-memory=100000000", "--include-dashboard=false", f"--temp-dir={folder}",
        "--min-worker-port=0", "--max-worker-port=0", f"--ray-client-server-port={client_port}",
    ]  # fmt: skip


def address_of(process: subprocess.Popen[bytes]) -> str | None:
    """Where a Ray listens, once it does; None if it has ended."""
    deadline = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline:
        for child in psutil.Process(process.pid).children():
            with suppress(psutil.NoSuchProcess):
                for word in child.cmdline():
                    if word.startswith("--gcs-address="):
                        return word.partition("=")[2]
        time.sleep(0.1)
    return None


@pytest.fixture(scope="module")
def address(head: psutil.Process) -> str:
    words = [word for child in head.children() for word in child.cmdline()]
    return next(word.partition("=")[2] for word in words if word.startswith("--gcs-address="))


# ---- Matches


def test_a_match_over_ray_is_the_match_played_here(address: str, tmp_path: Path) -> None:
    """Figures, records and the file to resume from are the same, with components of one's own too; a match that began
    here can go on there."""
    own = [*MATCH, "--legends", "--components", str(DATA / "crowded.toml")]
    here, there, out = tmp_path / "here", tmp_path / "there", tmp_path / "match.json"
    alone = saloon(*own, "--games", "9", "--records", str(here), "--out", str(out))
    finished = out.read_text(encoding="utf-8")
    out.unlink()
    saloon(*own, "--games", "2", "--records", str(there), "--out", str(out))
    assert saloon(*own, "--games", "9", "--records", str(there), "--out", str(out), "--ray", address) == alone
    assert out.read_text(encoding="utf-8") == finished
    records = [{path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()} for folder in (here, there)]
    assert records[0] == records[1]
    assert len(records[0]) == 9


def test_programs_play_over_ray(address: str) -> None:
    """Each game starts its own."""
    program = f"exec:{sys.executable} {ROOT / 'examples' / 'random_bot.py'}"
    match = ("arena", "--a", "greedy", "--b", program, "--games", "3")
    assert saloon(*match, "--ray", address) == saloon(*match)
    wrong = saloon("arena", "--a", "greedy", "--b", "exec:no_such_program", "--ray", address, code=2)
    assert "expected a program that can be started" in wrong


def test_a_match_stops_where_it_would_here(address: str) -> None:
    match = ("arena", "--a", "greedy", "--b", "random", "--games", "500", "--sprt", "0.5,0.6")
    alone = saloon(*match)
    assert json.loads(alone)["sprt"] == "high"
    assert saloon(*match, "--ray", address, "--jobs", "2") == alone


def test_lost_workers_lose_nothing(head: psutil.Process, address: str) -> None:
    """Those that play are killed. Their games are played again, and only results are on the standard output."""
    match = [*MATCH, "--a", "ismcts:iterations=300", "--games", "9"]
    process = subprocess.Popen(
        [sys.executable, "-m", "saloon", *match, "--ray", address], stdout=subprocess.PIPE, text=True
    )
    killed: set[int] = set()
    while len(killed) < 2:
        assert process.poll() is None, "over before two workers were killed"
        killed |= kill_players(head)
        time.sleep(0.05)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert output == saloon(*match)


def kill_players(head: psutil.Process, work: str = "_play_text") -> set[int]:
    killed = set()
    for process in at_work(head, work):
        process.kill()
        killed.add(process.pid)
    return killed


def at_work(head: psutil.Process, work: str) -> list[psutil.Process]:
    """The processes of workers that do this now."""
    found = []
    for process in head.children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if process.cmdline()[:1] == [f"ray::{work}"]:
                found.append(process)
    return found


def test_work_that_takes_every_worker_down_is_given_up(address: str) -> None:
    code = (
        "import os, sys\n"
        "from search.cluster import joined\n"
        "def end(text): os._exit(1)\n"
        "with joined(sys.argv[1]) as cluster: list(cluster.map(end, ['']))\n"
    )
    done = subprocess.run([sys.executable, "-c", code, address], capture_output=True, text=True, timeout=60)
    assert "ConnectionError: ray: the same work was lost 4 times" in done.stderr


def test_a_ray_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes and goes with the command and leaves nothing at home."""
    for name in SETTINGS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert saloon(*MATCH, "--games", "4", "--ray", "local", "--jobs", "2") == saloon(*MATCH, "--games", "4")
    assert list(tmp_path.iterdir()) == []


def test_few_games_are_under_way_at_a_time() -> None:
    """However long a match is: with jobs so many, without as many as keep every core busy."""
    ray = SimpleNamespace(
        remote=lambda **_: lambda work: SimpleNamespace(remote=work),
        wait=lambda promises, timeout: (promises, []),
        get=lambda promise: promise,
        cluster_resources=lambda: {"CPU": 3.0},
    )
    for jobs, most in ((1, 1), (5, 5), (None, 6)):
        taken: list[str] = []
        cluster = Cluster(ray, jobs, Interrupts())  # type: ignore[arg-type]
        results = cluster.map(str.upper, (taken.append(text) or text for text in "abcdefghijkl"))  # type: ignore[func-returns-value]
        for number, result in enumerate(results):
            assert result == "ABCDEFGHIJKL"[number]
            assert len(taken) == min(12, number + most)


def test_levels_are_measured_by_workers_as_here(monkeypatch: pytest.MonkeyPatch) -> None:
    few = {name: settings for name, settings in levels().items() if name in ("1", "2")}
    monkeypatch.setattr("search.levels.levels", lambda: few)
    workers = Here()
    there = measure("moon_river", {"players": 2}, 100, 1, workers)
    assert there == measure("moon_river", {"players": 2}, 100, 1)
    assert len(workers.told) == 100


# ---- One decision


@pytest.mark.parametrize("table", [name for name, rules in TABLES.items() if rules.printed])
def test_spread_searches_answer_as_threads_do(table: str) -> None:
    """Bit by bit, in every kind of decision."""
    for view in views(TABLES[table]):
        for searches in (1, 3):
            question = Question(view, Budget(iterations=301).limit(), 7, count=None)
            ways = local(searches), spread(Here(), searches)
            first, second = (timeless(SearchPlayer(grow).think(question)) for grow in ways)
            assert first == second


@pytest.mark.parametrize("table", ["moon_river-4-legends", "goldgraeber-4-prospecting"])
def test_workers_learn_nothing_hidden(table: str) -> None:
    """They are told the same of two games that look alike to the seat."""
    different = 0
    for view in views(TABLES[table]):
        first, second = (view.determinize(seed) for seed in (1, 2))
        different += first.state != second.state
        told = []
        for game in (first, second):
            workers = Here()
            question = Question(game.observe(view.viewer), Budget(iterations=10).limit(), 5)
            SearchPlayer(spread(workers, 2)).think(question)
            told.append(workers.told)
        assert told[0] == told[1]
    assert different >= 3


def test_components_that_workers_lack_are_refused() -> None:
    question = Question(view_of("moon_river-3-crowded-legends", 9), Budget(iterations=10).limit())
    with pytest.raises(OptionError, match=r"components: expected .* which workers have"):
        SearchPlayer(spread(Here(), 2)).think(question)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    match = Match("goldgraeber", {"players": 3, "prospecting": True}, "greedy", "random", 2)
    list(run(match, range(1), 1, tmp_path))
    (tmp_path / "000000.json").rename(path)
    return path


def analyzed(record: Path, *arguments: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(saloon("analyze", str(record), "--after", "40", "--json", *arguments))
    return answer


def test_an_analysis_over_ray_is_the_one_made_here(address: str, record: Path) -> None:
    arguments = ("--iterations", "600", "--searches", "3", "--seed", "9")
    here, there = analyzed(record, *arguments), analyzed(record, *arguments, "--ray", address)
    here.pop("seconds"), there.pop("seconds")
    assert there == here
    assert here["iterations"] == 600
    assert here["suggestions"][0]["line"]


def test_time_is_a_budget_over_ray(address: str, record: Path) -> None:
    """By itself every core has a search."""
    answer = analyzed(record, "--time", "100ms", "--ray", address)
    assert (answer["stopped"], answer["searches"]) == ("time", 2)
    assert answer["iterations"] > 2


def test_an_analysis_for_people(record: Path) -> None:
    said = saloon("analyze", str(record), "--after", "40", "--iterations", "200", "--count", "2")
    assert "decides (" in said
    assert "200 iterations" in said
    assert said.count("%") == 4


def test_records_that_cannot_be_analyzed(record: Path, tmp_path: Path) -> None:
    assert "no seat has to decide: the game is over" in saloon("analyze", str(record), code=2)
    assert "after: expected 0 to" in saloon("analyze", str(record), "--after", "9999", code=2)
    assert "time: expected a time such as" in saloon("analyze", str(record), "--after", "40", "--time", "soon", code=2)
    broken = tmp_path / "broken.json"
    broken.write_text('{"options": {"moon_river": {"players": 9}}}', encoding="utf-8")
    said = saloon("analyze", str(broken), code=2)
    assert "players: expected an integer from 2 to 4, got 9" in said
    assert "Traceback" not in said


# ---- Reviews


@pytest.mark.parametrize("table", [name for name in TABLES if "tiny" not in name])  # no file can be such a map
def test_a_review_by_workers_is_the_one_made_here(table: str) -> None:
    """Bit by bit and in its order, whatever the table is played with; over or not."""
    games = [advance(Game(TABLES[table], 3), Generator(3), 18)]
    if table == "goldgraeber-3":
        games.append(advance(Game(TABLES[table], 4), Generator(4)))
    if table == "goldgraeber-4-prospecting":
        games.append(OwnRecord.of(games[0].rules, games[0].history, 1).game)
    for game in games:
        workers = Here()
        assert list(review_by(workers, game, Limit(8), 5)) == list(review(game, Limit(8), 5, Reviewer()))
        assert len(workers.told) > 3


def test_jobs_of_a_review_share_the_time() -> None:
    """Of all cores, by how much there is to judge; what is not used is there for those that come later."""
    game = advance(Game(TABLES["moon_river-3"], 3), Generator(3), 24)
    workers, begun = Here(), time.monotonic()
    parts = list(review_by(workers, game, Budget(seconds=1.0).limit(), 5))
    took = time.monotonic() - begun
    told = [json.loads(text)["seconds"] for text in workers.told]
    assert len(parts) == len(game.history) + 1
    assert all(0 <= seconds <= 2 * 1.0 for seconds in told)
    assert told[0] == pytest.approx(2 * 1.0 / len(told), rel=0.5)
    assert sum(told) <= 2 * took + 1.0


def test_a_review_over_ray(head: psutil.Process, address: str, tmp_path: Path) -> None:
    """It is the review made here, though workers are killed while they are at it."""
    path = tmp_path / "game.json"
    Record.of(advance(Game(TABLES["moon_river-3-crowded-legends"], 4), Generator(4), 60)).save(path)
    own = ("--components", str(DATA / "crowded.toml"))
    arguments = ("review", str(path), *own, "--json", "--iterations", "600", "--seed", "3")
    process = subprocess.Popen(
        [sys.executable, "-m", "saloon", *arguments, "--ray", address], stdout=subprocess.PIPE, text=True
    )
    killed: set[int] = set()
    while len(killed) < 2:
        assert process.poll() is None, "over before two workers were killed"
        killed |= kill_players(head, "_review_text")
        time.sleep(0.05)
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    assert output == saloon(*arguments)


def test_a_review_over_ray_is_cancelled(head: psutil.Process, address: str, tmp_path: Path) -> None:
    """Ctrl-C, and nobody works on at it."""
    path = tmp_path / "game.json"
    Record.of(advance(Game(MoonRiver(2), 4), Generator(4), 60)).save(path)
    process = subprocess.Popen(
        [sys.executable, "-m", "saloon", "review", str(path), "--time", "10min", "--ray", address],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    wait_until(lambda: len(at_work(head, "_review_text")) == 2)
    process.send_signal(signal.SIGINT)
    output, said = process.communicate(timeout=30)
    assert process.returncode != 0
    assert (output, "Traceback" in said) == ("", False)
    wait_until(lambda: not at_work(head, "_review_text"))


def test_an_interrupt_waits_for_the_end_of_a_call_once() -> None:
    interrupts, done = Interrupts(), list[str]()

    def press(times: int) -> None:
        with interrupts.put_off():
            for _ in range(times):
                signal.raise_signal(signal.SIGINT)
            done.append(f"pressed {times}")

    before = signal.getsignal(signal.SIGINT)
    with interrupts.heard():
        press(0)
        for times in (1, 2):
            with pytest.raises(KeyboardInterrupt):
                press(times)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert done == ["pressed 0", "pressed 1"]
    assert signal.getsignal(signal.SIGINT) is before


def wait_until(so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not so():
        assert time.monotonic() < deadline
        time.sleep(0.05)


# ---- What can be wrong


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("nonsense", "ray: expected local (one on this machine), auto, HOST:PORT or ray://HOST:PORT, got 'nonsense'"),
        ("http://127.0.0.1:8265", "ray: expected local (one on this machine), auto"),
        ("127.0.0.1:99999", "ray: expected local (one on this machine), auto"),
        ("127.0.0.1:1", "ray: expected the address of a Ray cluster ([Errno 111] Connection refused), got"),
        ("ray://127.0.0.1:1", "ray: expected the address of a Ray cluster ("),
    ],
)
def test_wrong_addresses_are_refused(wrong: str, message: str) -> None:
    said = saloon(*MATCH, "--ray", wrong, code=2)
    assert message in said
    assert "Traceback" not in said


def test_a_service_that_is_no_ray_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in SETTINGS.items():
        monkeypatch.setenv(name, value)
    server = grpc.server(futures.ThreadPoolExecutor(1))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    said = saloon(*MATCH, "--ray", f"127.0.0.1:{port}", code=2)
    server.stop(None)
    assert "ray: expected a Ray cluster that lets this machine join (" in said
    assert "Traceback" not in said


def test_levels_say_what_is_wrong_too() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "search.levels", "--ray", "nonsense"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2
    assert "error: ray: expected local (one on this machine), auto" in done.stderr


@pytest.mark.parametrize("address", ["local", "auto"])
def test_without_ray_it_is_said_how_to_get_it(address: str) -> None:
    code = "import sys; sys.modules['ray'] = None; from saloon.__main__ import run; run()"
    done = subprocess.run(
        [sys.executable, "-c", code, *MATCH, "--ray", address],
        capture_output=True, text=True, timeout=60, env={**os.environ, "COLUMNS": "200"},
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith(
        "saloon: ray: expected Ray to be installed: pip install 'saloon-server[cluster]', got"
    )
