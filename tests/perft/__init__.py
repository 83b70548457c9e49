"""How many ways there are from fixed positions: a fingerprint of the rules, kept as data."""
