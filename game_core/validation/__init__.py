"""Checks of what users give, with errors that help."""
