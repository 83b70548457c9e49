"""Puzzles as messages."""

from saloon_client.v1 import bots_pb2 as pb

from search.puzzles import Looked, Puzzle
from wire.reviews import judged_message
from wire.writing import Writer, position_message


def looked_message(writer: Writer, looked: Looked, events: int, seed: int, version: str) -> pb.FindPuzzlesResponse:
    puzzle = None if looked.puzzle is None else puzzle_message(writer, looked.puzzle)
    return pb.FindPuzzlesResponse(
        done=looked.event + 1, events=events, puzzle=puzzle, seed=seed, engine_version=version
    )


def puzzle_message(writer: Writer, puzzle: Puzzle) -> pb.Puzzle:
    rules, view = puzzle.view.rules, puzzle.view
    return pb.Puzzle(
        event=puzzle.event,
        seat=view.viewer,
        position=position_message(rules, view.state),
        best=writer.decision(rules, puzzle.others[0].best),
        others=[judged_message(writer, rules, each) for each in puzzle.others],
    )
