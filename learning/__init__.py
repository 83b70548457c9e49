"""A judgement that is learned: games to learn from, training, networks as data."""
