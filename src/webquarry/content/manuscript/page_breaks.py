"""Marks where the pages of a printed document start in its text."""

PAGE_BREAK = "\ue00c"  # private use: stands where a page starts


def without_page_breaks(text: str) -> tuple[str, list[int]]:
    """Return the text without the marks, and where the pages start."""
    parts = text.split(PAGE_BREAK)
    starts: list[int] = []
    length = len(parts[0])
    for part in parts[1:]:
        starts.append(length)
        length += len(part)
    return "".join(parts), starts
