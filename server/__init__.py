"""The service: gRPC over search and engine."""
