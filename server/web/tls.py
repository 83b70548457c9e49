# May know: basics.
"""Transport security of the HTTP port: the same certificates as gRPC's, read anew when their files change."""

import ssl
from pathlib import Path

import structlog

from server.basics.settings import ConfigError, Settings

log = structlog.get_logger()


class _Certificates(ssl.SSLContext):
    """Looks at the files when somebody connects."""

    cert: Path
    key: Path
    stamps: list[int]

    def _stamps(self) -> list[int]:
        return [path.stat().st_mtime_ns for path in (self.cert, self.key)]

    def read(self) -> None:
        self.stamps = self._stamps()
        self.load_cert_chain(self.cert, self.key)

    def fresh(self) -> None:
        try:
            if self._stamps() != self.stamps:
                self.read()
                log.info("certificate read anew")
        except OSError as error:  # in the middle of being replaced: the old one still serves (SSLError is one, too)
            log.warning("certificate not read", error=str(error))

    def wrap_bio(self, *given: object, **named: object) -> ssl.SSLObject:
        """For each connection."""
        self.fresh()
        return super().wrap_bio(*given, **named)  # type: ignore[arg-type]


def certificates(settings: Settings) -> ssl.SSLContext | None:
    """None for plaintext."""
    if settings.tls_cert is None or settings.tls_key is None:
        return None
    context = _Certificates(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["h2", "http/1.1"])
    context.cert, context.key = settings.tls_cert, settings.tls_key
    try:
        context.read()
        if settings.tls_client_ca is not None:
            context.load_verify_locations(settings.tls_client_ca)
            context.verify_mode = ssl.CERT_REQUIRED
    except OSError as error:
        raise ConfigError(f"tls: {error}") from error
    return context
