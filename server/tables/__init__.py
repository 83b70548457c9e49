"""The Tables service: hosted games."""
