"""Processes of their own for the bots of users, with limits of time and memory."""
