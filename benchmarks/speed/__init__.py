"""How fast environments, physics, search and pictures are, beside others."""
