"""Agents: what they may know, how to find them, and games between them."""
