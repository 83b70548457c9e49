"""What the pictures of Goldgräber are made of."""
