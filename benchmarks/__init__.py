"""Measurements that need a clone: how punctual search and service are, whether memory stays flat."""
