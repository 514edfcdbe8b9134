"""Ratings and statistics; they know results of games as numbers alone."""
