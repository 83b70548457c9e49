"""What can go wrong, as exceptions that say what to do."""

from collections.abc import Callable
from typing import Any

import grpc
from google.protobuf.message import DecodeError
from google.rpc.error_details_pb2 import BadRequest, RetryInfo
from google.rpc.status_pb2 import Status

_DETAILS = "grpc-status-details-bin"


class SaloonError(Exception):
    """A call that did not end well. `code` is gRPC's, `message` is the server's."""

    def __init__(self, message: str, code: grpc.StatusCode = grpc.StatusCode.UNKNOWN) -> None:
        super().__init__(message)
        self.message = message
        self.code = code


class InvalidRequest(SaloonError):
    """Something in the request does not fit: mend it, sending it again is of no use."""

    def __init__(self, message: str, code: grpc.StatusCode, problems: list[tuple[str, str]]) -> None:
        super().__init__(message, code)
        self.problems = problems  # (field, what is wrong with it)

    @property
    def field(self) -> str:
        """The first field that does not fit, as a path in the request; empty if the server names none."""
        return self.problems[0][0] if self.problems else ""


class Overloaded(SaloonError):
    """The server has no time for the call, cannot store its tables just now, or the token has used up its share: try
    again after `retry_after` seconds (None: it does not know)."""

    def __init__(self, message: str, code: grpc.StatusCode, retry_after: float | None) -> None:
        super().__init__(message, code)
        self.retry_after = retry_after


class NotReachable(SaloonError):
    """No server answers at `address`, or it is about to stop."""

    def __init__(self, message: str, code: grpc.StatusCode = grpc.StatusCode.UNAVAILABLE, address: str = "") -> None:
        super().__init__(message, code)
        self.address = address


class NotAllowed(SaloonError):
    """The token is missing or wrong, or does not allow this."""


class NotFound(SaloonError):
    """There is no such table or session (any more)."""


class NotNow(SaloonError):
    """The game is not where the call needs it: look at its status first."""


class Taken(SaloonError):
    """Somebody sits there already."""


class TooLate(SaloonError):
    """The time given was over: give more with `timeout`, or ask for less."""


class ServerFault(SaloonError):
    """The server failed, or does not know the call. Its log says more; the message has a number to look for."""


_CODES = grpc.StatusCode
_PLAIN: dict[grpc.StatusCode, type[SaloonError]] = {
    _CODES.UNAUTHENTICATED: NotAllowed,
    _CODES.PERMISSION_DENIED: NotAllowed,
    _CODES.NOT_FOUND: NotFound,
    _CODES.FAILED_PRECONDITION: NotNow,
    _CODES.ALREADY_EXISTS: Taken,
    _CODES.DEADLINE_EXCEEDED: TooLate,
    _CODES.INTERNAL: ServerFault,
    _CODES.UNKNOWN: ServerFault,
    _CODES.DATA_LOSS: ServerFault,
}


# Something answers, but the two do not agree on how to speak: by what gRPC says of it.
_MISUNDERSTOOD = {
    "CERTIFICATE_VERIFY_FAILED": "the certificate of the server at {} is not trusted here; name the authorities to "
    "trust (root_certificates, --tls-ca)",
    "WRONG_VERSION_NUMBER": "the server at {} does not speak TLS; on other machines than this one say that it need not "
    "(insecure, --insecure)",
    "failed to connect to all addresses; last error: UNAVAILABLE: ": "what answers at {} hangs up before a word is "
    "said, as servers do that speak TLS to clients that do not; speak TLS (tls=True, --tls-ca)",
}


def from_rpc(error: Any, address: str) -> SaloonError:
    """The exception for what gRPC raised."""
    code, message = error.code(), error.details() or ""
    if code == _CODES.INVALID_ARGUMENT:
        bad = _detail(error, BadRequest)
        return InvalidRequest(message, code, [(v.field, v.description) for v in bad.field_violations] if bad else [])
    retry = _detail(error, RetryInfo) if code in (_CODES.RESOURCE_EXHAUSTED, _CODES.UNAVAILABLE) else None
    if code == _CODES.RESOURCE_EXHAUSTED or retry:
        delay = retry.retry_delay if retry else None
        return Overloaded(message, code, delay.seconds + delay.nanos / 1e9 if delay else None)
    if code == _CODES.UNAVAILABLE:
        return not_reachable(address, message)
    if code == _CODES.UNIMPLEMENTED:
        return ServerFault(f"the server at {address} does not know this call; it may be older than this client", code)
    if code == _CODES.DEADLINE_EXCEEDED:
        return too_late(message)
    return _PLAIN.get(code, SaloonError)(message, code)


def not_reachable(address: str, reason: str) -> NotReachable:
    for sign, text in _MISUNDERSTOOD.items():
        if sign in reason:
            return NotReachable(f"{text.format(address)} ({reason})", address=address)
    text = f"no Saloon server answers at {address}; start one with `saloon serve`, or say where one is ({reason})"
    return NotReachable(text, address=address)


def too_late(reason: str) -> TooLate:
    return TooLate(f"no answer in the time given; allow more with `timeout` ({reason})", _CODES.DEADLINE_EXCEEDED)


def _detail(error: Any, kind: Callable[[], Any]) -> Any:
    """The detail of a kind that came with the status; None if there is none."""
    for key, value in error.trailing_metadata() or ():
        if key == _DETAILS:
            wanted = kind()
            try:
                return next((wanted for detail in Status.FromString(value).details if detail.Unpack(wanted)), None)
            except DecodeError:  # bytes of something between here and there
                return None
    return None
