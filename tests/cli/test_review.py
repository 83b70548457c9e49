"""`saloon review`: what a person and what a program reads of it."""

import json
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import Console

from engine_cy import Game, Generator, Goldgraeber, MoonRiver
from engine_cy.own_record import OwnRecord
from engine_cy.records import Record
from saloon.review_page import Page
from saloon.screens import screen_of_rules
from search.player import Budget
from search.review import Review, Reviewer, review
from tests.cli.conftest import Saloon
from tests.tables import advance

SEATS = {"seat", "accuracy", "expected", "luck", "lost", "result"}
DECISIONS = {"event", "seat", "chosen", "best", "lost", "error", "class"}


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game at random: much is given away."""
    path = tmp_path_factory.mktemp("review") / "game.json"
    Record.of(advance(Game(MoonRiver(2), 4), Generator(4), 60)).save(path)
    return path


def test_json_adds_up(record: Path, saloon: Saloon) -> None:
    arguments = ("review", str(record), "--json", "--iterations", "20", "--seed", "3")
    found = json.loads(saloon(*arguments).stdout)
    assert json.loads(saloon(*arguments).stdout) == found
    assert all(set(row) >= DECISIONS for row in found["decisions"])
    assert len(found["decisions"]) + len(found["chance"]) == len(Record.load(record).events)
    for seat in found["seats"]:
        assert set(seat) >= SEATS
        assert seat["result"] == pytest.approx(seat["expected"] + seat["luck"] + seat["lost"])
        assert seat["luck"] == pytest.approx(sum(row["luck"][seat["seat"]] for row in found["chance"]))
    assert not found["over"]


def test_what_people_read(record: Path, saloon: Saloon) -> None:
    said = saloon("review", str(record), "--time", "1s").stdout
    for words in ("accuracy", "gave away", "how likely each was to win", "better: ", "seat 1", "so far"):
        assert words in said
    assert "??" in said
    everything = saloon("review", str(record), "--iterations", "20", "--all").stdout
    assert everything.count("\n") > said.count("\n")


def test_what_cannot_be_reviewed(record: Path, saloon: Saloon, tmp_path: Path) -> None:
    assert "time: expected a time such as" in saloon("review", str(record), "--time", "soon", code=2).stderr
    path = tmp_path / "begun.json"
    Record.of(Game(MoonRiver(2), 4)).save(path)
    assert "expected a game in which somebody has decided something" in saloon("review", str(path), code=2).stderr


def test_a_seats_own_record(saloon: Saloon, tmp_path: Path) -> None:
    """Decisions of others that have looked at something are told, and not judged; nothing is said of what they saw."""
    rules = Goldgraeber(3, prospecting=True)
    game = Game(rules, 2)
    while not game.over and len(game.history) < 90:
        options = game.decisions()
        looks = [option for option in options if option.kind == "prospect"]
        game.decide(
            looks[0] if looks and game.seat == 1 else options[Generator(2, len(game.history)).below(len(options))]
        )
    own = OwnRecord.of(rules, game.history, 0).game
    path, page = tmp_path / "own.json", tmp_path / "own.html"
    Record.of(own).save(path)
    arguments = ("review", str(path), "--iterations", "5", "--seed", "3")
    found = json.loads(saloon(*arguments, "--json", "--html", str(page)).stdout)
    unjudged = [row for row in found["decisions"] if row["class"] == "unjudged"]
    assert {row["seat"] for row in unjudged} == {1}
    assert all(row["best"] is None and row["lost"] == 0 for row in unjudged)
    assert found["seats"][0]["decisions"] == sum(row["seat"] == 0 for row in found["decisions"])
    assert found["seats"][1]["decisions"] == sum(row["seat"] == 1 for row in found["decisions"]) - len(unjudged)
    assert f"{len(unjudged)} decisions of others are not judged" in saloon(*arguments).stdout
    said = saloon(*arguments, "--all").stdout
    assert said.count("Not judged: this record does not say") == len(unjudged)
    text = page.read_text(encoding="utf-8")
    assert text.count("Not judged") == len(unjudged)
    assert "looked at, in secret: " in text
    ElementTree.fromstring(text)
    at = str(unjudged[0]["event"])
    assert (
        "own.json.chips: expected what seat 1 saw at"
        in saloon("show", str(path), "--after", at, "--seat", "1", code=2).stderr
    )
    assert saloon("show", str(path), "--after", at, "--seat", "0").stdout


def test_the_page_is_whole_and_says_what_json_says(record: Path, saloon: Saloon, tmp_path: Path) -> None:
    path = tmp_path / "review.html"
    arguments = ("review", str(record), "--json", "--html", str(path), "--iterations", "20", "--seed", "3")
    found = json.loads(saloon(*arguments).stdout)
    text = path.read_text(encoding="utf-8")
    page = ElementTree.fromstring(text)  # well-formed, to the last element
    assert page.get("lang") == "en"
    assert "<script" not in text
    assert "://" not in text.replace("http://www.w3.org/2000/svg", "")  # nothing comes from elsewhere

    decided = {each.get("id"): each for each in page.iter("article")}
    assert len(decided) == len(found["decisions"])
    for row in found["decisions"]:
        article = decided[f"event-{row['event']}"]
        assert article.get("data-decision") == row["chosen"]
        said = "".join(article.itertext())
        assert row["class"] in said
        assert f"seat {row['seat']}:" in said
        if row["lost"]:
            assert f"Gave away {row['lost']:.1%} ± {row['error']:.1%}, {row['points_lost']:.1f} points." in said
    assert [row.get("data-seat") for row in page.iter("tr") if row.get("data-seat")] == ["0", "1"]
    for row, seat in zip((row for row in page.iter("tr") if row.get("data-seat")), found["seats"], strict=True):
        assert ["".join(cell.itertext()) for cell in row.iter("td")] == [
            f"{seat['accuracy']:.0%}", f"{seat['given_away']:.2f}", f"{seat['points_given_away']:.1f}",
            f"{seat['expected']:.0%}", f"{seat['luck']:+.0%}", f"{seat['lost']:+.0%}", f"{seat['result']:.0%} so far",
        ]  # fmt: skip

    ids = [each.get("id") for each in page.iter() if each.get("id")]
    assert len(ids) == len(set(ids))
    used = {each.get("href", "") for each in page.iter()} - {""}
    assert {f"#event-{event}" for event in found["turning_points"]} <= used
    assert {name.removeprefix("#") for name in used} <= set(ids)


def test_names_cannot_break_out_of_the_page() -> None:
    name = "</style><script>alert('a')</script>\"&\x00"
    rules = Goldgraeber(3)
    game = advance(Game(rules, 4), Generator(4), 12)
    *parts, whole = review(game, Budget(None, 4).limit(), 1, Reviewer())
    assert isinstance(whole, Review)
    screen = screen_of_rules(Console(file=StringIO()), rules)
    screen.names = [name] * 3
    text = Page(screen, game, [part for part in parts if not isinstance(part, Review)], whole, 1).document()
    page = ElementTree.fromstring(text)
    assert not list(page.iter("script"))
    shown = name.replace("\x00", "\ufffd")
    assert all(shown in "".join(head.itertext()) for head in page.iter("h3"))
    ids = [each.get("id") for each in page.iter() if each.get("id")]
    assert len(ids) == len(set(ids))


def test_a_page_that_cannot_be_written(record: Path, saloon: Saloon, tmp_path: Path) -> None:
    """It is told at once, not after the ten minutes of the review."""
    for path, what in ((tmp_path / "nowhere" / "review.html", "no such file"), (tmp_path, "is a directory")):
        done = saloon("review", str(record), "--time", "10min", "--html", str(path), code=2)
        assert f"{path}: {what}" in done.stderr
    assert not list(tmp_path.iterdir())
