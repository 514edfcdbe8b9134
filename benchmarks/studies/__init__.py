"""Experiments whose figures the documentation quotes."""
