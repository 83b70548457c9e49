"""Tests of one rule or one function at a time."""
