"""A person against bots, in a page that is served on this machine alone."""
