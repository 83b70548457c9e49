# May know: nothing else of Saloon.
"""Which engine and search this is."""

from importlib.metadata import version

ENGINE_VERSION = f"saloon {version('saloon-server')}"
