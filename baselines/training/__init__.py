"""Training policies with Stable-Baselines3; nothing here is imported without it."""
