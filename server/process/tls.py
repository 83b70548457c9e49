# May know: basics, gRPC.
"""Transport security: certificates, read anew when their files change."""

from pathlib import Path
from typing import Any

import grpc
import structlog

from server.basics.settings import ConfigError, Settings

log = structlog.get_logger()


class _Files:
    """The certificate files, with when they were last changed."""

    def __init__(self, settings: Settings) -> None:
        assert settings.tls_cert is not None
        assert settings.tls_key is not None
        self.cert, self.key, self.ca = settings.tls_cert, settings.tls_key, settings.tls_client_ca
        self.stamps = self._stamps()

    def _paths(self) -> list[Path]:
        return [self.cert, self.key, *([self.ca] if self.ca else [])]

    def _stamps(self) -> list[int]:
        return [path.stat().st_mtime_ns for path in self._paths()]

    def read(self) -> grpc.ServerCertificateConfiguration:
        pair = (self.key.read_bytes(), self.cert.read_bytes())
        return grpc.ssl_server_certificate_configuration([pair], self.ca.read_bytes() if self.ca else None)

    def fetch(self) -> Any:
        """Called at every handshake: the new certificate, None if nothing has changed."""
        try:
            stamps = self._stamps()
            if stamps == self.stamps:
                return None
            self.stamps = stamps
            log.info("certificate read anew")
            return self.read()
        except OSError as error:  # in the middle of being replaced: the old one still serves
            log.warning("certificate not read", error=str(error))
            return None


def credentials(settings: Settings) -> grpc.ServerCredentials | None:
    """What the port is secured with; None for plaintext."""
    if settings.tls_cert is None:
        return None
    files = _Files(settings)
    try:
        first = files.read()
    except OSError as error:
        raise ConfigError(f"tls: {error}") from error
    return grpc.dynamic_ssl_server_credentials(first, files.fetch, require_client_authentication=files.ca is not None)
