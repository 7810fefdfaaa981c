"""White space in texts."""


def flattened(text: str) -> str:
    """Return the text with its white space collapsed."""
    # every white space but the blank is unprintable; prose on one line has none to collapse, and
    # seeing that is far cheaper than taking it apart
    if text.isprintable() and "  " not in text:
        return text.strip(" ")
    return " ".join(text.split())
