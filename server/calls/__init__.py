"""What every call passes: tokens, limits, status codes. Knows gRPC and basics."""
