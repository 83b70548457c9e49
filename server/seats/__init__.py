"""The Seats service: bots at tables of others. Knows basics and thinking; its service calls, too."""
