"""Agents that play Azul."""
