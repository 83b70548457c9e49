"""Slow, obvious rules oracles, written from the rules text alone."""
