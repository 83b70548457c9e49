"""The page for people, at `/` of the HTTP port. Knows basics and web."""
