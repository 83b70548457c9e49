"""The search: fair, reproducible, on budget; and the tools that measure it."""
