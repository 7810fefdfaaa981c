"""Markdown helpers of the site readers."""

from datetime import UTC, datetime

from webquarry.content.visibility.invisible_characters import without_invisible


def utc_date(seconds: float | None) -> str:
    """Return the UTC date of a Unix time; empty for None."""
    if seconds is None:
        return ""
    try:
        return datetime.fromtimestamp(seconds, UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):  # outside the range of dates
        return ""


def join_facts(*parts: str) -> str:
    """Return the parts that are not empty, separated by dots."""
    return " · ".join(part for part in parts if part)


def count_label(count: int | None, singular: str, plural: str = "") -> str:
    """Return "1 point" or "2 points"; empty when the number is unknown."""
    if count is None:
        return ""
    return f"{count:,} {singular if count == 1 else plural or singular + 's'}"


def markdown_link(text: str, url: str) -> str:
    """Return a link with brackets in its text escaped."""
    label = " ".join(text.split()).replace("[", r"\[").replace("]", r"\]")
    return f"[{label}]({url})" if url else label


def blockquote(text: str) -> str:
    """Return text as a block quotation."""
    return "\n".join(f"> {part}".rstrip() for part in text.splitlines())


def visible_text(text: str | None) -> str:
    """Return text without invisible characters and surrounding white space."""
    return without_invisible(text or "").strip()


def html_to_markdown(fragment: str | None, base: str = "") -> str:
    """Return a fragment of HTML as Markdown, without hidden text."""
    if not fragment:
        return ""
    # imported here because parsers are slow to load
    from webquarry.content.html.dom import parse_html
    from webquarry.content.markdown.writer import write_markdown
    from webquarry.content.visibility.hidden_text import remove_hidden

    root = parse_html(f"<html><body>{fragment}</body></html>")
    if root is None:
        return ""
    remove_hidden(root)
    return visible_text(write_markdown(root, base=base))


def join_blocks(*blocks: str) -> str:
    """Return the blocks that are not empty, separated by blank lines."""
    return "\n\n".join(block for block in blocks if block)
