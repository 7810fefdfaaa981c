"""The main content of an HTML page as Markdown, with what is known about the page."""

from dataclasses import dataclass
from urllib.parse import urljoin

from webquarry.content.choose import Choice, choose
from webquarry.content.dom import Element, drop, parse_html
from webquarry.content.hints import hints_of
from webquarry.content.invisible import without_invisible
from webquarry.content.markdown import markdown_of
from webquarry.content.outline import Outline, outline_of
from webquarry.content.sanitize import Sweep, remove_hidden


@dataclass(slots=True)
class Extract:
    """A page with its hidden text removed and its main content chosen."""

    root: Element
    outline: Outline
    choice: Choice
    sweep: Sweep


def extract(root: Element, url: str = "") -> Extract:
    """Remove from the parsed page what is hidden, and choose its main content."""
    hints = hints_of(root, url)
    sweep = remove_hidden(root)
    outline = outline_of(root)
    return Extract(root, outline, choose(outline, hints), sweep)


def to_text(html: str, url: str = "") -> str:
    """Return the words of the main content, one block a line."""
    root = parse_html(html)
    if root is None:
        return ""
    found = extract(root, url)
    kept = (b.text for b, keep in zip(found.outline.blocks, found.choice.keep, strict=True) if keep)
    return without_invisible("\n".join(kept))


def to_markdown(html: str, url: str = "") -> str:
    """Return the main content as Markdown."""
    root = parse_html(html)
    return "" if root is None else write(extract(root, url), base_of(root, url))


def base_of(root: Element, url: str) -> str:
    """Return the address that relative links of the page start from."""
    base = root.find(".//base[@href]")
    href = base.get("href") if base is not None else None
    try:
        return urljoin(url, href.strip()) if href else url
    except ValueError:
        return url


def write(found: Extract, base: str) -> str:
    """Take everything but the main content out of the tree and write the rest."""
    _prune(found.outline, found.choice.keep)
    body = found.root.find("body")
    text = markdown_of(found.root if body is None else body, base=base)
    return without_invisible(text, found.sweep.counts)


def _prune(outline: Outline, keep: list[bool]) -> None:
    for block, kept in zip(outline.blocks, keep, strict=True):
        if kept:
            continue
        for element, is_tail in block.pieces:
            if is_tail:
                element.tail = None
            elif element.tag == "math":
                drop(element)
            else:
                element.text = None
    for image, place in outline.images:
        if not _among_kept(keep, place):
            drop(image)


def _among_kept(keep: list[bool], place: int) -> bool:
    """Tell whether an image before block `place` stands in kept text."""
    after = place < len(keep) and keep[place]
    before = place > 0 and keep[place - 1]
    return (before and after) or (after and place == 0) or (before and place == len(keep))
