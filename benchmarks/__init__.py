"""Evidence: the command line, tournaments between agents, and measurements."""
