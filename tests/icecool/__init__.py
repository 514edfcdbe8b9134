"""Tests of ICECOOL."""
