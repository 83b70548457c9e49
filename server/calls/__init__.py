"""What every call passes: tokens, limits, status codes."""
