"""Games to look at: pictures, films, and a terminal or window."""
