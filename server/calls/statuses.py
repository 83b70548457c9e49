# May know: basics, engine_cy, wire, gRPC.
"""What the caller is told of a refusal, here alone: a status code, words, and details a program can use."""

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import grpc
from google.protobuf.any_pb2 import Any
from google.protobuf.duration_pb2 import Duration
from google.protobuf.json_format import MessageToDict
from google.rpc.error_details_pb2 import BadRequest, RetryInfo
from google.rpc.status_pb2 import Status
from grpc import StatusCode

from engine_cy.errors import InputError
from server.basics import refusals
from wire.reading import NobodyDecides

_CODES: Mapping[type[Exception], StatusCode] = {
    InputError: StatusCode.INVALID_ARGUMENT,
    NobodyDecides: StatusCode.FAILED_PRECONDITION,
    refusals.NotFound: StatusCode.NOT_FOUND,
    refusals.AlreadyTaken: StatusCode.ALREADY_EXISTS,
    refusals.NotNow: StatusCode.FAILED_PRECONDITION,
    refusals.Denied: StatusCode.PERMISSION_DENIED,
    refusals.Unauthenticated: StatusCode.UNAUTHENTICATED,
    refusals.TooLate: StatusCode.DEADLINE_EXCEEDED,
    refusals.Overloaded: StatusCode.RESOURCE_EXHAUSTED,
    refusals.Unavailable: StatusCode.UNAVAILABLE,
    refusals.NotOffered: StatusCode.UNIMPLEMENTED,
    refusals.Internal: StatusCode.INTERNAL,
}
_DETAILS = "grpc-status-details-bin"
TELLING = tuple(_CODES)  # what callers may be told as it is


def code_of(error: Exception) -> StatusCode:
    return next(code for kind, code in _CODES.items() if isinstance(error, kind))


def status_of(error: Exception) -> Status:
    number: int = code_of(error).value[0]
    return Status(code=number, message=_words(error), details=_details(error))


def _words(error: Exception) -> str:
    """All of them where there are several things wrong; the details have them one by one."""
    return "; ".join(map(str, error.all)) if isinstance(error, InputError) else str(error)


def _details(error: Exception) -> Iterator[Any]:
    """The field that does not fit; the time after which it is worth trying again."""
    if isinstance(error, InputError):
        yield _packed(BadRequest(field_violations=[_violation(problem) for problem in error.all]))
    elif isinstance(error, refusals.Refused) and error.retry_seconds is not None:
        delay = Duration()
        delay.FromNanoseconds(int(max(0.001, error.retry_seconds) * 1e9))
        yield _packed(RetryInfo(retry_delay=delay))


def _violation(problem: InputError) -> BadRequest.FieldViolation:
    words = str(problem).removeprefix(f"{problem.field}: ")
    return BadRequest.FieldViolation(field=problem.field, description=words)


def _packed(message: BadRequest | RetryInfo) -> Any:
    detail = Any()
    detail.Pack(message)
    return detail


@dataclass(frozen=True)
class Told:
    """A status for those who do not speak gRPC."""

    code: int
    name: str  # such as "not_found"
    message: str
    whole: bytes  # google.rpc.Status
    details: Sequence[Any]

    def plain(self) -> dict[str, object]:
        """As Connect writes it in JSON."""
        found: dict[str, object] = {"code": self.name, "message": self.message}
        if self.details:
            found["details"] = [_plain(detail) for detail in self.details]
        return found


def told(error: Exception | grpc.Status) -> Told:
    """What the caller is told of an error, or by a status that was made of one."""
    if isinstance(error, grpc.Status):
        whole = bytes(dict(error.trailing_metadata)[_DETAILS])  # type: ignore[arg-type]
        status = Status.FromString(whole)
    else:
        status = status_of(error)
        whole = status.SerializeToString()
    name = next(code.name for code in StatusCode if code.value[0] == status.code).lower()
    return Told(status.code, "canceled" if name == "cancelled" else name, status.message, whole, status.details)


def _plain(detail: Any) -> dict[str, object]:
    value = base64.b64encode(detail.value).decode().rstrip("=")
    found: dict[str, object] = {"type": detail.TypeName(), "value": value}
    for kind in (BadRequest, RetryInfo):
        message = kind()
        if detail.Unpack(message):
            found["debug"] = MessageToDict(message)
    return found
