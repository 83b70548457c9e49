"""The Seats service: bots at tables of others."""
