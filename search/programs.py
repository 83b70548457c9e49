"""Programs that answer questions: a line of JSON to their standard input, a line of JSON from their standard output.

Nothing waits without end: whatever a program does, or does not do, ends as an OptionError that names it.
"""

import json
import os
import select
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Any

from engine_cy.errors import OptionError

_LONGEST_LINE = 1 << 20
_GRACE = 5.0  # seconds for a program to end once its input has


class Program:
    """One that runs. `name` is what errors call it; what it writes to its standard error goes where ours goes."""

    def __init__(self, name: str, command: Sequence[str]) -> None:
        self.name, self.command = name, tuple(command)
        self._heard = b""  # not read yet
        try:
            # A group of its own, so that all that it starts ends with it; not a session, which systems may schedule as
            # a whole, so that on a busy machine it would get more or less time than we do.
            self._process = subprocess.Popen(  # noqa: S603
                self.command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, process_group=0
            )
        except (OSError, ValueError) as error:
            why = (error.strerror if isinstance(error, OSError) else None) or str(error)
            raise self._error(f"a program that can be started ({why})", self.command[0]) from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin, self._process.stdout
        os.set_blocking(self._in.fileno(), False)

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def tell(self, message: Mapping[str, Any], seconds: float) -> None:
        """What needs no answer; OptionError if it is not taken within so many seconds."""
        self._write(json.dumps(message).encode() + b"\n", monotonic() + seconds, seconds)

    def ask(self, message: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Its answer; OptionError if it gives none within so many seconds."""
        if self._heard:
            raise self._error("one line for each question", self._heard.decode(errors="replace"))
        deadline = monotonic() + seconds
        self._write(json.dumps(message).encode() + b"\n", deadline, seconds)
        line = self._read_line(deadline, seconds)
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise self._error("a JSON object in a line", line.decode(errors="replace"))
        return answer

    def end(self) -> None:
        """The end of its input is the sign to go; one that does not go is killed."""
        self._in.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
        self.kill()

    def kill(self) -> None:
        if self.alive:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._in.close()
        self._out.close()

    def _write(self, text: bytes, deadline: float, seconds: float) -> None:
        while text:
            _, writable, _ = select.select([], [self._in], [], max(0.0, deadline - monotonic()))
            if not writable:
                raise self._error(f"that it reads within {seconds:g} s", "nothing read")
            try:
                text = text[os.write(self._in.fileno(), text) :]
            except OSError:
                raise self._ended() from None

    def _read_line(self, deadline: float, seconds: float) -> bytes:
        while b"\n" not in self._heard:
            if len(self._heard) > _LONGEST_LINE:
                raise self._error(
                    f"a line of at most {_LONGEST_LINE} bytes", self._heard[:100].decode(errors="replace")
                )
            readable, _, _ = select.select([self._out], [], [], max(0.0, deadline - monotonic()))
            if not readable:
                raise self._error(f"an answer within {seconds:g} s", "none")
            some = os.read(self._out.fileno(), 1 << 16)
            if not some:
                raise self._ended()
            self._heard += some
        line, _, self._heard = self._heard.partition(b"\n")
        return line

    def _ended(self) -> OptionError:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        code = self._process.returncode
        return self._error("an answer", "the end of its output" if code is None else f"its end with exit code {code}")

    def _error(self, expected: str, got: Any) -> OptionError:
        return OptionError(f"bot {self.name}", expected, got)


class _Stock:
    """Programs between games, for whoever plays many: to start one may take longer than a quick game."""

    def __init__(self) -> None:
        self.holders = 0
        self.idle: list[Program] = []

    def hold(self) -> None:
        self.holders += 1

    def release(self) -> None:
        self.holders -= 1
        while self.idle and not self.holders:
            self.idle.pop().end()


_stock = _Stock()


def hold() -> None:
    """Keep programs between games for as long as this process lives."""
    _stock.hold()


@contextmanager
def held() -> Iterator[None]:
    """Keep programs between games until the block ends."""
    _stock.hold()
    try:
        yield
    finally:
        _stock.release()


def started(name: str, command: Sequence[str]) -> Program:
    """One that is kept, or a new one."""
    for program in _stock.idle:
        if program.name == name and program.alive:
            _stock.idle.remove(program)
            return program
    return Program(name, command)


def given_back(program: Program) -> None:
    """Its game is over."""
    if _stock.holders:
        _stock.idle.append(program)
    else:
        program.end()
