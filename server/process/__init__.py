"""One process of the service: how it is put together, starts and ends. Knows gRPC and every room."""
