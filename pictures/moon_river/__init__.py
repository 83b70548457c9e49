"""What the pictures of Moon River are made of."""
