"""Tests of Azul."""
