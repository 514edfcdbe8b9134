"""Pictures, text in color, and windows."""
