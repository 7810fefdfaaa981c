"""White space in texts."""

_LONG = 80  # characters


def flattened(text: str) -> str:
    """Return the text with its white space collapsed."""
    # prose on one line has nothing to collapse, and seeing that is far cheaper than taking it apart
    if _is_on_one_line(text) and "  " not in text:
        return text.strip(" ")
    return " ".join(text.split())


def _is_on_one_line(text: str) -> bool:
    """Tell whether the text has no white space but blanks, perhaps too seldom."""
    if len(text) < _LONG or not text.isascii():
        return text.isprintable()  # which no other white space is
    # looking for one sign at a time goes over a long text several times as fast
    return not (
        "\n" in text
        or "\t" in text
        or "\r" in text
        or "\v" in text
        or "\f" in text
        or "\x1c" in text
        or "\x1d" in text
        or "\x1e" in text
        or "\x1f" in text
    )
