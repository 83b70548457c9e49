"""The `saloon` command as a user runs it."""
