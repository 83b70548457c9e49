"""The Tables service: hosted games. Knows basics and thinking; its service calls, too."""
