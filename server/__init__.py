"""The service: gRPC over search and engine, in rooms. What each may know is said in its first line."""
