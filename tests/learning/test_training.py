"""Learning from nothing, on a small scale: the same seed gives the same network, wherever games are played and whether
or not it was stopped on the way; and what is learned is worth something."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from engine_cy import Generator
from engine_cy.judgement import Lesson
from engine_cy.registry import GAMES, rules_of
from learning.lessons import jobs, read, work
from learning.network import Weights
from learning.selfplay import duel
from learning.train import Course, main
from learning.training import Rows, error_of, train

LESSONS = [(name, lesson) for name, game in GAMES.items() for lesson in game.judgement.lessons]
EVERY_LESSON = pytest.mark.parametrize(("game", "lesson"), LESSONS, ids=[f"{g}-{lesson.name}" for g, lesson in LESSONS])


def few(game: str, lesson: Lesson, games: int) -> Rows:
    """From games at a glance."""
    return Rows.joined([read(work(text)) for text in jobs(game, lesson, b"", True, games, 1, 0, 1.0)])


def trained(rows: Rows, parts: int) -> Weights:
    weights = Weights.fresh(rows.x.shape[1], 16, 8, parts + 1, 1)
    train(weights, rows, epochs=12, rate=3e-3, seed=1)
    return weights


@EVERY_LESSON
def test_what_a_seat_still_gets_is_learned(game: str, lesson: Lesson) -> None:
    """A little network, a few hundred games: it errs less on games it has not seen than the mean of what came. The rest
    is luck for the most part."""
    rows = few(game, lesson, 600)
    n = len(rows) * 3 // 4
    seen, unseen = Rows(rows.x[:n], rows.gain[:n]), Rows(rows.x[n:], rows.gain[n:])
    total = unseen.gain.sum(1)
    assert error_of(trained(seen, rows.gain.shape[1]), unseen) < 0.8 * float(total.std())


@EVERY_LESSON
def test_whole_numbers_say_nearly_the_same(game: str, lesson: Lesson) -> None:
    """Integers of two bytes stand for the numbers that were learned: the choice is hardly ever another."""
    rules = rules_of(game, lesson.tables[0][1]).compiled
    rows = few(game, lesson, 200)
    weights = trained(rows, rules.parts)
    share, own, others = duel(rules.start(), Generator(1), weights.network(), weights.network(), 40)
    assert share == pytest.approx(1 / rules.players, abs=0.3)
    assert own == pytest.approx(others, rel=0.2)
    assert weights.network().sizes == (rules.features, 16, 8, rules.parts + 1)


@EVERY_LESSON
def test_what_is_shipped_beats_judgement_at_a_glance(game: str, lesson: Lesson) -> None:
    for part, options in lesson.tables:
        assert part > 0
        rules = rules_of(game, options).compiled
        assert rules.network is not None
        share, own, others = duel(rules.start(), Generator(3), rules.network, None, 200)
        assert share > 1 / rules.players
        assert own > others


def course(folder: Path, rounds: int) -> Course:
    name, lesson = LESSONS[0]
    return Course(GAMES[name], lesson, folder, seed=3, rounds=rounds, games=60)


def test_a_course_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    """No round is played again, and what comes out is the same to the last bit."""
    rounds = 3
    played = 0

    def stopped(work: Callable[[str], str], texts: Iterable[str]) -> Iterator[str]:
        nonlocal played
        played += 1
        if played == rounds:
            raise ConnectionError("the power failed")
        return map(work, texts)

    with pytest.raises(ConnectionError):
        course(tmp_path / "stopped", rounds).run(stopped)
    assert len(course(tmp_path / "stopped", rounds).curve) == rounds - 1
    whole = course(tmp_path / "whole", rounds).run(map)
    assert course(tmp_path / "stopped", rounds).run(stopped) == whole
    assert played == rounds + 2  # the last round, and what is set right in the end


def test_training_writes_networks_that_games_can_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name, lesson = LESSONS[0]
    command = ["--game", name, "--lesson", lesson.name, "--rounds", "1", "--games", "40", "--processes", "2"]
    main([*command, "--work", str(tmp_path / "work"), "--out", str(tmp_path)])
    file = tmp_path / f"{lesson.name}.network"
    assert str(file) in capsys.readouterr().out
    written = file.read_bytes()
    assert len(written) < 2 << 20
    (row,) = course(tmp_path / "work" / name, 1).curve
    assert row["rows"] > 100
