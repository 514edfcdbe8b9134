"""Agents to play against and to imitate, one in a file.

``baselines/x.py`` holds ``x``, which plays every game; ``baselines/azul/y.py`` holds
``y``, which plays Azul.
"""
