"""What the service says to input it refuses: a status code, words, and details a program can use."""

from collections.abc import Sequence

from google.protobuf.any_pb2 import Any
from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import BadRequest, RetryInfo
from google.rpc.status_pb2 import Status
from grpc import StatusCode

from engine_cy.errors import InputError


class Refused(Exception):
    """A call that ends with this status. The text is for the caller."""

    def __init__(self, code: StatusCode, text: str, details: Sequence[Any] = ()) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.details = tuple(details)

    def status(self) -> Status:
        number: int = self.code.value[0]
        return Status(code=number, message=self.text, details=self.details)


def invalid(error: InputError) -> Refused:
    """INVALID_ARGUMENT, with the field that does not fit."""
    problem = str(error).removeprefix(f"{error.field}: ")
    violation = BadRequest.FieldViolation(field=error.field, description=problem)
    return Refused(
        StatusCode.INVALID_ARGUMENT, f"{error.field}: {problem}", [_packed(BadRequest(field_violations=[violation]))]
    )


def exhausted(text: str, retry_seconds: float) -> Refused:
    """RESOURCE_EXHAUSTED, with the time after which it is worth trying again."""
    return Refused(StatusCode.RESOURCE_EXHAUSTED, text, [_retry(retry_seconds)])


def unavailable(text: str, retry_seconds: float) -> Refused:
    """UNAVAILABLE, with the time after which it is worth trying again."""
    return Refused(StatusCode.UNAVAILABLE, text, [_retry(retry_seconds)])


def _retry(seconds: float) -> Any:
    delay = Duration()
    delay.FromNanoseconds(int(max(0.001, seconds) * 1e9))
    return _packed(RetryInfo(retry_delay=delay))


def _packed(message: BadRequest | RetryInfo) -> Any:
    detail = Any()
    detail.Pack(message)
    return detail
