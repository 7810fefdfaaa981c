"""Small pieces of Markdown that several sites write."""

from datetime import UTC, datetime

from webquarry.content.visibility.invisible_characters import without_invisible


def day(seconds: float | None) -> str:
    """Return the UTC date of a moment in seconds since 1970; empty for none."""
    if seconds is None:
        return ""
    try:
        return datetime.fromtimestamp(seconds, UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):  # no clock shows such a time
        return ""


def line(*parts: str) -> str:
    """Return the parts that are there, with dots between them."""
    return " · ".join(part for part in parts if part)


def counted(count: int | None, one: str, many: str = "") -> str:
    """Return "1 point" or "2 points"; nothing when the number is not known."""
    if count is None:
        return ""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def link(text: str, url: str) -> str:
    """Return a link whose text cannot break out of it."""
    shown = " ".join(text.split()).replace("[", r"\[").replace("]", r"\]")
    return f"[{shown}]({url})" if url else shown


def quoted(text: str) -> str:
    """Return text as a quotation."""
    return "\n".join(f"> {part}".rstrip() for part in text.splitlines())


def plain(text: str | None) -> str:
    """Return text of others as a person sees it."""
    return without_invisible(text or "").strip()


def from_html(fragment: str | None, base: str = "") -> str:
    """Return a piece of HTML as Markdown, without what cannot be seen in it."""
    if not fragment:
        return ""
    # imported here because parsers are slow to load
    from webquarry.content.html.dom import parse_html
    from webquarry.content.markdown.writer import markdown_of
    from webquarry.content.visibility.hidden_text import remove_hidden

    root = parse_html(f"<html><body>{fragment}</body></html>")
    if root is None:
        return ""
    remove_hidden(root)
    return plain(markdown_of(root, base=base))


def joined(*chunks: str) -> str:
    """Return chunks with blank lines between them, leaving out the empty ones."""
    return "\n\n".join(chunk for chunk in chunks if chunk)
