"""Property and fuzz tests: what holds of every game, and what must be refused."""
