"""Every call over HTTP, too: Connect and gRPC-Web, for browsers and shells. Knows basics and calls."""
