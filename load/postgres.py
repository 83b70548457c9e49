"""A real PostgreSQL of our own, for measuring and tests, with an empty database for each that asks."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote

import psycopg

from saloon.ports import free_port

PASSWORD = "s3cret/with@signs"  # noqa: S105
_FOLDERS = [*sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True), Path("/usr/sbin"), Path("/usr/local/bin")]
# Without a password through a socket; from elsewhere only encrypted and with one.
_ACCESS = """
local   all,replication all     trust
hostssl all all 127.0.0.1/32    scram-sha-256
"""
_NEW = ("-E", "UTF8", "--locale=C")


def program(name: str) -> str | None:
    found = shutil.which(name)
    return found or next((str(folder / name) for folder in _FOLDERS if (folder / name).is_file()), None)


def _user() -> pwd.struct_passwd | None:
    """It does not run for root."""
    if os.geteuid():
        return None
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    return next(known[name] for name in ("postgres", "nobody") if name in known)


class NotThere(Exception):
    """PostgreSQL is not installed."""


class Disk(Protocol):
    """One of its own that a cluster may be on."""

    path: Path

    @property
    def command(self) -> list[str]:
        """Before the words of a program that shall have it."""

    def seen(self, path: Path) -> Path:
        """The way there for us."""


class Postgres:
    """One cluster in a folder of its own."""

    def __init__(
        self,
        folder: Path,
        certificate: tuple[Path, Path] | None = None,
        settings: Mapping[str, str] | None = None,
        *,
        disk: Disk | None = None,
        log_alone: bool = False,
        primary: "Postgres | None" = None,
    ) -> None:
        """With a certificate, and its key, it takes connections over TCP, too. All of it is on the disk, or its
        write-ahead log alone. With a primary it is a standby of that one."""
        self.folder, self.port, self.user, self.disk = folder, free_port(), _user(), disk
        self._numbers = count(1)
        self._process: subprocess.Popen[bytes] | None = None
        if self.user:
            shutil.chown(folder, self.user.pw_uid)
        self.data = (folder if disk is None or log_alone else disk.path) / "data"
        self._settings = {"unix_socket_directories": str(folder), "listen_addresses": "", **(settings or {})}
        if primary is not None:
            self.follow(primary)
            return
        log = [f"--waldir={disk.path}/log"] if disk and log_alone else []
        self._run("initdb", "-D", str(self.data), "-U", "saloon", "-A", "trust", "--no-sync", *_NEW, *log)
        (self._seen / "pg_hba.conf").write_text(_ACCESS, encoding="utf-8")
        chosen = {"max_connections": "200"}
        if certificate:
            for path, name in zip(certificate, ("server.crt", "server.key"), strict=True):
                shutil.copy(path, self._seen / name)
                (self._seen / name).chmod(0o600)
                if self.user:
                    shutil.chown(self._seen / name, self.user.pw_uid)
            self._settings |= {"listen_addresses": "127.0.0.1"}
            chosen |= {"ssl": "on"}
        self._configure(chosen)

    def follow(self, primary: "Postgres") -> None:
        """As a new copy of that one, which it goes on to follow once it is started. What was here is gone."""
        shutil.rmtree(self._seen, ignore_errors=True)
        where = f"host={primary.folder} port={primary.port} user=saloon application_name=saloon_standby"
        self._run("pg_basebackup", "-D", str(self.data), "-R", "-d", where, "--checkpoint=fast", "--no-sync")
        self._configure({})

    def _configure(self, more: dict[str, str]) -> None:
        with (self._seen / "postgresql.conf").open("a", encoding="utf-8") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in (more | self._settings).items())

    @property
    def _seen(self) -> Path:
        """Its data, as we see them."""
        return self.disk.seen(self.data) if self.disk else self.data

    def _run(self, name: str, *arguments: str) -> None:
        done = subprocess.run([*self.command(name), *arguments], check=False, capture_output=True, cwd=self.folder)
        assert done.returncode == 0, done.stderr.decode()

    def command(self, name: str) -> list[str]:
        """The program, as its user. Python's own way to another user forks, which a process with gRPC must not."""
        found = program(name)
        assert found
        where = self.disk.command if self.disk else []
        if self.user is None:
            return [*where, found]
        who = [f"--reuid={self.user.pw_uid}", f"--regid={self.user.pw_gid}", "--clear-groups"]
        return [*where, "setpriv", *who, found]

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def socket(self) -> Path:
        return self.folder / f".s.PGSQL.{self.port}"

    def answers(self) -> bool:
        try:
            return bool(self.sql("SELECT 1"))
        except psycopg.OperationalError:
            return False

    def start(self) -> None:
        """Comes back when it answers."""
        command = [*self.command("postgres"), "-D", str(self.data), "-p", str(self.port)]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd="/")
        until = time.monotonic() + 60
        while not self.answers():
            assert self.alive, (self.folder / "log").read_text(encoding="utf-8")
            assert time.monotonic() < until
            time.sleep(0.05)

    def stop(self, how: int = signal.SIGINT) -> None:
        """SIGINT ends connections; SIGKILL ends it as a crash does."""
        assert self._process is not None
        if how == signal.SIGKILL:  # its children notice by themselves, but not while one is stopped
            children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text(encoding="utf-8").split()
            for pid in [self.pid, *map(int, children)]:
                os.kill(pid, signal.SIGKILL)
        else:
            self._process.send_signal(how)
        self._process.wait(60)
        self._process = None

    def url(self, database: str, **parameters: str) -> str:
        query = {"host": str(self.folder), "port": str(self.port), **parameters}
        words = "&".join(f"{name}={quote(value, safe='')}" for name, value in query.items())
        return f"postgresql://saloon@/{database}?{words}"

    def secure_url(self, database: str, root: Path, password: str = PASSWORD) -> str:
        """Over TCP and TLS, with a password."""
        self.sql(f"ALTER ROLE saloon PASSWORD '{PASSWORD}'")
        where = f"saloon:{quote(password, safe='')}@127.0.0.1:{self.port}/{database}"
        return f"postgresql://{where}?sslmode=verify-full&sslrootcert={quote(str(root), safe='')}"

    def sql(self, text: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        with psycopg.connect(self.url(database), autocommit=True, options="-csearch_path=saloon") as connection:
            cursor = connection.execute(text.encode())
            return cursor.fetchall() if cursor.description else []

    @contextmanager
    def database(self) -> Iterator[str]:
        """The name of an empty one."""
        name = f"test{next(self._numbers)}"
        self.sql(f"CREATE DATABASE {name}")
        try:
            yield name
        finally:
            self.sql(f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def place() -> Iterator[Path]:
    """A folder for one, until the block ends; NotThere."""
    if program("postgres") is None:
        raise NotThere("PostgreSQL is not there; apt-get install postgresql")
    with tempfile.TemporaryDirectory(prefix="saloon-postgres-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)  # its user is another one
        yield Path(folder)


@contextmanager
def running(made: Postgres) -> Iterator[Postgres]:
    """It runs, until the block ends."""
    made.start()
    try:
        yield made
    finally:
        if made.alive:
            made.stop(signal.SIGQUIT)


@contextmanager
def cluster(certificate: tuple[Path, Path] | None = None, **settings: str) -> Iterator[Postgres]:
    """A running one, until the block ends; NotThere."""
    with place() as folder, running(Postgres(folder, certificate, settings)) as made:
        yield made
