"""One process of the service: its settings, start and end, and what operators see."""
