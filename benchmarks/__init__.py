"""How fast the engine is; run by `make bench` and `saloon bench`."""
