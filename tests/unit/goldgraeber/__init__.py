"""The rules of Goldgräber, by number."""
