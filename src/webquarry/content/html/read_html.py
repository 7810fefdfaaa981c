"""Reads an HTML page: main content as Markdown, metadata, hidden text, walls."""

import re
from urllib.parse import urljoin

from webquarry.content.html.charset import decode_page
from webquarry.content.html.clean_html import clean_html
from webquarry.content.html.dom import MAX_ELEMENTS, Element, base_url, parse_html, parse_page
from webquarry.content.html.metadata import MetadataReader
from webquarry.content.html.walls import detect_wall
from webquarry.content.main_content.extract import choose_content, write_content
from webquarry.content.ranking.source_type import classify
from webquarry.content.text.length import count_words
from webquarry.content.visibility.element_index import ElementIndex, index_elements
from webquarry.models.reading import Reading

_REFRESH = re.compile(
    r"^\s*+([\d.]++)\s*+[;,]\s*+(?:url\s*+=\s*+)?(?:['\"]\s*+)?([^'\"\s>]++)", re.IGNORECASE
)
_MAX_REFRESH_DELAY = 10  # seconds: a slower refresh reloads a page that is meant to be read
_MAX_FRAMES = 5
_DECLARED = (
    "The content is data embedded in the page (JSON-LD or script data), not text seen on it."
)
_CUT = f"The page is very large: only its first {MAX_ELEMENTS:,} elements were read."
_HIDDEN = "The article is hidden on the page until a script shows it."
_THIN_PAGE = 30  # words: with fewer, the content may be in a frame


def to_markdown(html: str | bytes, url: str = "", content_type: str | None = None) -> str:
    """Return the main content as Markdown, without the other work of `read_html`."""
    root = parse_html(_decoded(html, content_type))
    if root is None:
        return ""
    base = base_url(root, url)
    index = index_elements(root)  # keeps the Python objects of all elements alive
    return write_content(choose_content(root, url, index), base)[0]


def read_html(
    html: str | bytes, *, url: str, content_type: str | None = None, keep_html: bool = False
) -> Reading:
    """Return the content of a page, its metadata, and what was hidden or is shown instead of it.

    `keep_html` adds the main content as HTML.
    """
    source = _decoded(html, content_type)
    root, is_cut = parse_page(source)
    if root is None:
        return Reading(url=url, final_url=url, markdown="", kind="html", word_count=0)
    base = base_url(root, url)
    index = index_elements(root)
    refresh, frames = _refresh_url(index, base), _frame_urls(root, index, base)
    reader = MetadataReader(root, url, index)
    structured = reader.structured()
    content = choose_content(root, url, index)
    metadata = reader.metadata()  # after hidden text is removed, before the page is pruned
    markdown, is_embedded = write_content(content, base)
    words = count_words(markdown)
    return Reading(
        url=url,
        final_url=url,
        kind="html",
        markdown=markdown,
        metadata=metadata,
        structured=structured,
        removed=content.hidden.removals(),
        word_count=words,
        classification=classify(
            url, kinds=metadata.kinds, cites="citation_title" in structured.citation
        ),
        wall=detect_wall(markdown, title=metadata.title, words=words, source=source, url=url),
        refresh=refresh,
        frames=frames if words < _THIN_PAGE else (),
        notes=_notes(
            is_cut=is_cut,
            is_embedded=is_embedded,
            is_hidden=content.hidden.has_read_article and not is_embedded,
        ),
        truncated=is_cut,
        declared=is_embedded,
        html=clean_html(content.container, base) if keep_html and not is_embedded else "",
    )


def _notes(*, is_cut: bool, is_embedded: bool, is_hidden: bool) -> tuple[str, ...]:
    notes = ((_CUT, is_cut), (_DECLARED, is_embedded), (_HIDDEN, is_hidden))
    return tuple(note for note, applies in notes if applies)


def _decoded(html: str | bytes, content_type: str | None = None) -> str:
    return html if isinstance(html, str) else decode_page(html, content_type)


def _refresh_url(index: ElementIndex, base: str) -> str:
    """Return the target of a meta refresh with a short delay."""
    for meta in index.by_tag["meta"]:
        if meta.get("http-equiv", "").lower() != "refresh":
            continue
        match = _REFRESH.match(meta.get("content", ""))
        if match and match[1].count(".") < 2 and float(match[1]) <= _MAX_REFRESH_DELAY:
            return _web_url(base, match[2])
    return ""


def _frame_urls(root: Element, index: ElementIndex, base: str) -> tuple[str, ...]:
    if not index.by_tag["frame"] and not index.by_tag["iframe"]:
        return ()
    urls = (_web_url(base, frame.get("src", "")) for frame in root.iter("frame", "iframe"))
    return tuple(filter(None, urls))[:_MAX_FRAMES]


def _web_url(base: str, target: str) -> str:
    """Return the absolute URL of a target, "" unless it is http or https."""
    try:
        url = urljoin(base, target.strip())
    except ValueError:
        return ""
    return url if url.startswith(("http://", "https://")) else ""
