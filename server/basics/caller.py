# May know: nothing else of Saloon.
"""Who calls, and for whom."""

from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Accounts:
    """For whom a client may call, if the operator has accounts."""

    own: str = ""  # the account of the person whose client it is
    told: bool = False  # it says for whom it calls


NO_ACCOUNTS = Accounts()
CALLER: ContextVar[str] = ContextVar("caller", default="")  # its token's name, else its address
ACCOUNTS: ContextVar[Accounts] = ContextVar("accounts", default=NO_ACCOUNTS)
