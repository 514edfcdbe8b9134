"""Tree search for every game."""
