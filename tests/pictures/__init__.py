"""The pictures of every game, read back as XML."""
