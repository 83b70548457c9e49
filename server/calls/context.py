# May know: gRPC.
"""What a method may know of its call."""

from typing import TYPE_CHECKING, Any, TypeAlias

import grpc

if TYPE_CHECKING:
    Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]
else:  # generic in its stubs only
    Context = grpc.aio.ServicerContext
