"""Where things are kept: what a store must do, in plain values, and the stores there are. Knows basics alone."""
