# May know: nothing else of Saloon.
"""What an operator can set: by flags of `saloon serve`, by environment (SALOON_...), or in a TOML file."""

import os
from collections.abc import Mapping
from datetime import timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from server.basics.database import Database, PostgresUrl, Url


def data_folder() -> Path:
    """Where what is to last is kept, unless something else is said."""
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "saloon"


class ConfigError(ValueError):
    """A setting does not fit."""


class Settings(BaseSettings):
    """Every knob of the service."""

    model_config = SettingsConfigDict(env_prefix="SALOON_", extra="forbid", frozen=True)

    host: str = Field("127.0.0.1", description="Address to listen on.")
    port: int = Field(50051, ge=0, le=65535, description="Port to listen on; 0: any that is free.")
    http_port: int = Field(
        8080,
        ge=0,
        le=65535,
        description="Port for Connect and gRPC-Web, for browsers and shells; 0: none. Unless it is given, it is done "
        "without where something else has it.",
    )
    http_origins: str = Field(
        "",
        description="Pages that may call beside those on localhost, 127.0.0.1 and [::1], such as "
        "https://games.example.org, separated by commas; *: any.",
    )
    page: bool = Field(True, description="Whether people who open the HTTP port in a browser get a page to play on.")
    components: Annotated[tuple[Path, ...], NoDecode] = Field(
        (),
        description="Component files of your own (for Goldgräber maps), which games may be played with beside the "
        "printed sets; in the environment separated as in PATH.",
    )
    workers: int = Field(1, ge=1, le=256, description="Processes that share the port.")
    slots: int = Field(
        0, ge=0, le=1024, description="Searches at a time in each process; 0: all cores but one, shared among workers."
    )
    queue: int = Field(64, ge=0, le=100_000, description="Searches that may wait in each process.")
    longest: float = Field(30.0, gt=0, le=3600, description="Seconds one answer may take at most.")
    patience: float = Field(1.0, ge=0, le=600, description="Seconds a search without a deadline may wait.")
    reserve_ms: float = Field(15.0, ge=0, le=1000, description="Milliseconds kept free before a call's deadline.")
    max_message_bytes: int = Field(
        512 << 10, ge=1024, le=1 << 24, description="Largest request; a long record is 200 kB."
    )
    max_sessions: int = Field(4000, ge=1, description="Bot seats kept open or for resuming.")
    session_minutes: float = Field(10.0, gt=0, description="How long a bot seat waits for its front end to come back.")
    max_tables: int = Field(100_000, ge=1, description="Hosted tables kept.")
    table_days: float = Field(90.0, gt=0, description="Days after which a table where nothing happens is deleted.")
    lobby_hours: float = Field(
        24.0, gt=0, description="Hours after which a table whose game has not begun, and where nothing happens, is."
    )
    over_hours: float = Field(
        24.0,
        gt=0,
        description="Hours after its end after which of a game only the record is kept, apart from live tables.",
    )
    record_days: float = Field(365.0, gt=0, description="Days after its end for which the record of a game is kept.")
    max_records: int = Field(1_000_000, ge=1, description="Records of games that are over kept, the newest.")
    client_share: float = Field(
        0.25,
        gt=0,
        le=1,
        description="Part of the bot seats and tables that one client may hold, by its token, else by its address.",
    )
    database: Database = Field(
        default_factory=lambda: data_folder() / "tables.sqlite",
        description="Where hosted tables are kept: a file (SQLite), or, for several machines, postgresql://USER@HOST/NAME.",
    )
    database_direct: Url = Field(
        None,
        description="Where PostgreSQL itself is, if the database is a pooler's address: news come from there.",
    )
    database_connections: int = Field(
        10, ge=1, le=1000, description="Connections each process has to PostgreSQL at most, and one for news."
    )
    metrics_port: int = Field(
        0, ge=0, le=65535, description="Port of the Prometheus metrics; worker n takes the n-th after it. 0: none."
    )
    metrics_host: str = Field("127.0.0.1", description="Address of the metrics.")
    reflection: bool | None = Field(None, description="Whether to offer reflection; if not set, on loopback only.")
    tls_cert: Path | None = Field(None, description="Certificate chain (PEM). Read anew when it changes.")
    tls_key: Path | None = Field(None, description="Its private key (PEM).")
    tls_client_ca: Path | None = Field(None, description="Ask clients for a certificate of these authorities (PEM).")
    insecure: bool = Field(False, description="Allow plaintext on other than loopback addresses.")
    tokens: Path | None = Field(None, description="File of access tokens (TOML); see the operator's guide.")
    notice_seconds: float = Field(
        1.0,
        ge=0,
        le=3600,
        description="How long, after SIGTERM, calls are still taken while health says NOT_SERVING, so that load "
        "balancers turn away first.",
    )
    drain_seconds: float = Field(10.0, ge=0, le=3600, description="How long calls may go on after SIGTERM.")
    log_format: Literal["console", "json"] = Field("console", description="Logs for people or for machines.")
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="From which level on.")

    @field_validator("components", mode="before")
    @classmethod
    def _as_in_path(cls, value: Any) -> Any:
        return [part for part in value.split(os.pathsep) if part] if isinstance(value, str) else value

    @model_validator(mode="after")
    def _fits_together(self) -> "Settings":
        if (self.tls_cert is None) != (self.tls_key is None):
            raise ValueError("tls_cert and tls_key: expected both or neither")
        if self.tls_client_ca is not None and self.tls_cert is None:
            raise ValueError("tls_client_ca: expected tls_cert and tls_key with it")
        for name in ("tls_cert", "tls_key", "tls_client_ca", "tokens"):
            path = getattr(self, name)
            if path is not None and not path.is_file():
                raise ValueError(f"{name}: expected a file, got {str(path)!r}")
        if self.database_direct is not None and not isinstance(self.database, PostgresUrl):
            raise ValueError("database_direct: expected with a database that is PostgreSQL")
        for path in self.components:
            if not path.is_file():
                raise ValueError(f"components: expected a file, got {str(path)!r}")
        if not self.on_loopback and self.tls_cert is None and not self.insecure:
            raise ValueError(
                f"host: {self.host} is not loopback: expected tls_cert and tls_key, or --insecure behind something "
                "that encrypts"
            )
        return self

    @property
    def on_loopback(self) -> bool:
        try:
            return self.host == "localhost" or ip_address(self.host.strip("[]")).is_loopback
        except ValueError:
            return False

    @property
    def with_reflection(self) -> bool:
        return self.on_loopback if self.reflection is None else self.reflection

    @property
    def search_slots(self) -> int:
        """A core is kept for the event loops."""
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        return self.slots or max(1, (cores - 1) // self.workers)

    def share_of(self, most: int) -> int:
        """How many of so many one client may hold."""
        return max(1, int(most * self.client_share))

    @property
    def session_time(self) -> timedelta:
        return timedelta(minutes=self.session_minutes)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Flags before environment before file."""
        file = _Chosen.file
        sources: tuple[PydanticBaseSettingsSource, ...] = (init_settings, env_settings)
        return sources if file is None else (*sources, TomlConfigSettingsSource(settings_cls, file))


class _Chosen:
    file: Path | None = None


def load(file: Path | None = None, **flags: Any) -> Settings:
    """The settings; ConfigError says which does not fit and why."""
    if file is not None and not file.is_file():
        raise ConfigError(f"config: expected a file, got {str(file)!r}")
    _Chosen.file = file
    try:
        return Settings(**flags)
    except ValidationError as error:
        raise ConfigError("; ".join(_words(dict(problem)) for problem in error.errors())) from error
    except ValueError as error:  # a file that is no TOML
        raise ConfigError(f"config: {error}") from error
    finally:
        _Chosen.file = None


# Of other commands, of builds and tests.
_OTHERS = {"ADDRESS", "COMPILE", "DEBUG", "MARCH", "PROFILE", "TEST_SCALE", "TOKEN"}


def unknown_variables(environment: Mapping[str, str]) -> list[str]:
    """Variables that look like settings and are none: a name that was mistyped would be as if it was not there."""
    known = {*(name.upper() for name in Settings.model_fields), *_OTHERS}
    return sorted(
        name
        for name in environment
        if name.upper().startswith("SALOON_") and name.upper()[len("SALOON_") :] not in known
    )


def _words(problem: dict[str, Any]) -> str:
    text = str(problem["msg"]).removeprefix("Value error, ")
    where = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "extra_forbidden":
        return f"{where}: no such setting; known are {', '.join(sorted(Settings.model_fields))}"
    if not where or where.startswith("database"):  # that may be a password
        return f"{where}: {text}" if where else text
    return f"{where}: {text}, got {problem['input']!r}"
