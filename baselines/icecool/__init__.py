"""Agents that play ICECOOL."""
