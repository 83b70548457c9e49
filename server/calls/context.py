# May know: gRPC.
"""A call, from wherever it came: what a method may know of it, and how it is read and answered."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import grpc

if TYPE_CHECKING:
    Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]
else:  # generic in its stubs only
    Context = grpc.aio.ServicerContext

EOF: Any = grpc.aio.EOF  # there is no further message


class Line(Protocol):
    """One call's way in and out. gRPC's context is one; whatever else takes calls has to offer this and no more."""

    def peer(self) -> str:
        """Who calls, in gRPC's form: ``ipv4:127.0.0.1:5000``."""

    def invocation_metadata(self) -> Iterable[tuple[str, Any]] | None:
        """What was sent beside the request: lower-case names and their values."""

    def time_remaining(self) -> float | None:
        """Seconds until the caller's deadline, if there is one."""

    def add_done_callback(self, callback: Callable[[Any], None]) -> None:
        """To be called when the answer is written or the call is gone."""

    async def read(self) -> Any:
        """The bytes of the next message, not read before they are asked for; EOF after the last."""

    async def write(self, data: bytes) -> None:
        """Send one answer of many; it waits until it is on its way."""

    async def abort_with_status(self, status: grpc.Status) -> None:
        """End it with this; raises."""
