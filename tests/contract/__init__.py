"""What every game must fulfil, whatever its rules."""
