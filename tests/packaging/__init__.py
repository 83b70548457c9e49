"""What is shipped is whole."""
