"""Client for Saloon."""
