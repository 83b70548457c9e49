"""The search alone, without a service around it: how many iterations it makes in the situations that clients asked
about, in the time that the service spent on each (`python -m load.bare SAMPLE`)."""

import json
import random
import sys
from dataclasses import dataclass, field
from pathlib import Path

from google.protobuf.json_format import MessageToDict, ParseDict
from saloon_client.v1 import bots_pb2, game_pb2

from search.player import Budget, Question
from search.search_player import SearchPlayer
from wire.reading import Reader

_SIZE = 250


@dataclass
class Sample:
    """Some of all answers, each as likely as any other."""

    kept: list[tuple[game_pb2.GameRecord, bots_pb2.Answer]] = field(default_factory=list)
    answers: int = 0
    luck: random.Random = field(default_factory=lambda: random.Random(0))

    def note(self, record: game_pb2.GameRecord, answer: bots_pb2.Answer) -> None:
        """What the service said of the situation where the record ends. An exact answer says nothing of its speed."""
        if answer.stopped != bots_pb2.STOP_REASON_TIME:
            return
        self.answers += 1
        if len(self.kept) < _SIZE:
            self.kept.append((record, answer))
        elif (place := self.luck.randrange(self.answers)) < _SIZE:
            self.kept[place] = (record, answer)

    @property
    def iterations(self) -> int:
        return sum(answer.iterations for _, answer in self.kept)

    def save(self, file: Path) -> None:
        rows = [
            {"record": MessageToDict(record), "seconds": answer.used.ToTimedelta().total_seconds()}
            for record, answer in self.kept
        ]
        file.write_text(json.dumps(rows), encoding="utf-8")


def iterations(file: Path) -> int:
    """In all situations of a sample, one after the other."""
    reader, made = Reader(), 0
    for row in json.loads(file.read_text(encoding="utf-8")):
        record = ParseDict(row["record"], game_pb2.GameRecord())
        view = reader.situation(game_pb2.Situation(record=record)).view_to_decide()
        limit = Budget(seconds=row["seconds"]).limit()
        made += SearchPlayer().think(Question(view, limit, seed=1, count=5)).iterations
    return made


if __name__ == "__main__":
    print(json.dumps({"iterations": iterations(Path(sys.argv[1]))}))
