"""English for messages and boards."""


def counted(number: int, thing: str) -> str:
    """Return a number of things in words: "1 round", "2 rounds"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
