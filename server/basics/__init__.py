"""What every room may know: settings, metrics, logs, who calls, and what is refused. It knows no room, and no gRPC."""
