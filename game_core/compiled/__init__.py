"""Compiled code: rules, loops over records, random streams."""
