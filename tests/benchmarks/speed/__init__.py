"""Tests of tournaments, the sandbox and the command line."""
