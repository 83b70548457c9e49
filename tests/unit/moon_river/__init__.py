"""Moon River: a test for every numbered rule and every worked example of the rules text."""
