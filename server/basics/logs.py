# May know: nothing else of Saloon.
"""Structured logs on the standard error output, for people or machines. No request content, no tokens."""

import logging
import sys
from typing import Any

import structlog

_LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}


def configure(form: str, level: str) -> None:
    last: Any = (
        structlog.processors.JSONRenderer()
        if form == "json"
        # A traceback in colours takes a tenth of a second, in which nobody is served.
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    )
    trace: list[Any] = [structlog.processors.format_exc_info] if form == "json" else []
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *trace,
            last,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[level]),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
