"""The contract, generated from proto/saloon/v1 by `make proto`."""
