"""Tests; see CONTRIBUTING for the three ways to run them."""
