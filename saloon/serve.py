"""`saloon serve`: the service."""

from pathlib import Path
from typing import Annotated, Any

import typer

from server.basics.settings import ConfigError, Settings, load
from server.process.workers import run


def _flag(name: str) -> Any:
    """The flag of a setting: its words and its default stand in server/config.py."""
    field = Settings.model_fields[name]
    default = field.get_default(call_default_factory=True)
    shown = "" if default in (None, False, ()) else f" [default: {default}]"
    return typer.Option(help=f"{field.description}{shown}", show_default=False)


def command(
    config: Annotated[Path | None, typer.Option(help="A TOML file of settings; flags and SALOON_... go first.")] = None,
    host: Annotated[str | None, _flag("host")] = None,
    port: Annotated[int | None, _flag("port")] = None,
    http_port: Annotated[int | None, _flag("http_port")] = None,
    http_origins: Annotated[str | None, _flag("http_origins")] = None,
    page: Annotated[bool | None, typer.Option("--page/--no-page", help=_flag("page").help)] = None,
    components: Annotated[list[Path] | None, _flag("components")] = None,
    workers: Annotated[int | None, _flag("workers")] = None,
    slots: Annotated[int | None, _flag("slots")] = None,
    queue: Annotated[int | None, _flag("queue")] = None,
    longest: Annotated[float | None, _flag("longest")] = None,
    patience: Annotated[float | None, _flag("patience")] = None,
    reserve_ms: Annotated[float | None, _flag("reserve_ms")] = None,
    max_message_bytes: Annotated[int | None, _flag("max_message_bytes")] = None,
    max_sessions: Annotated[int | None, _flag("max_sessions")] = None,
    session_minutes: Annotated[float | None, _flag("session_minutes")] = None,
    max_tables: Annotated[int | None, _flag("max_tables")] = None,
    table_days: Annotated[float | None, _flag("table_days")] = None,
    lobby_hours: Annotated[float | None, _flag("lobby_hours")] = None,
    over_hours: Annotated[float | None, _flag("over_hours")] = None,
    record_days: Annotated[float | None, _flag("record_days")] = None,
    max_records: Annotated[int | None, _flag("max_records")] = None,
    client_share: Annotated[float | None, _flag("client_share")] = None,
    database: Annotated[str | None, _flag("database")] = None,
    database_direct: Annotated[str | None, _flag("database_direct")] = None,
    database_connections: Annotated[int | None, _flag("database_connections")] = None,
    metrics_port: Annotated[int | None, _flag("metrics_port")] = None,
    metrics_host: Annotated[str | None, _flag("metrics_host")] = None,
    reflection: Annotated[
        bool | None, typer.Option("--reflection/--no-reflection", help=_flag("reflection").help)
    ] = None,
    tls_cert: Annotated[Path | None, _flag("tls_cert")] = None,
    tls_key: Annotated[Path | None, _flag("tls_key")] = None,
    tls_client_ca: Annotated[Path | None, _flag("tls_client_ca")] = None,
    insecure: Annotated[bool | None, typer.Option("--insecure", help=_flag("insecure").help)] = None,
    tokens: Annotated[Path | None, _flag("tokens")] = None,
    notice_seconds: Annotated[float | None, _flag("notice_seconds")] = None,
    drain_seconds: Annotated[float | None, _flag("drain_seconds")] = None,
    log_format: Annotated[str | None, _flag("log_format")] = None,
    log_level: Annotated[str | None, _flag("log_level")] = None,
) -> None:
    """Serve bots over gRPC and HTTP until SIGTERM or Ctrl-C.

    Every setting can also come from the environment (SALOON_PORT=...) or from the file of --config (port = ...).
    """
    given = {name: value for name, value in locals().items() if name != "config" and value is not None}
    try:
        run(load(config, **given))
    except ConfigError as error:
        typer.echo(f"saloon serve: {error}", err=True)
        raise typer.Exit(2) from None
