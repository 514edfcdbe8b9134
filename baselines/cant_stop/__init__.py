"""Agents that play Can't Stop."""
