"""What a method may know of its call: the context that every one gets, and who calls."""

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeAlias

import grpc

if TYPE_CHECKING:
    Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]
else:  # generic in its stubs only
    Context = grpc.aio.ServicerContext

CALLER: ContextVar[str] = ContextVar("caller", default="")  # its token's name, else its address
