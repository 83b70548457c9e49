"""The `saloon` command: one file a subcommand."""
