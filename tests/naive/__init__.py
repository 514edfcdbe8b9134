"""Slow, obvious reference implementations that the tests play against."""
