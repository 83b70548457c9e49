"""Load tests: clients that behave as real ones do, profiles of them with what they may expect, and a verdict."""
