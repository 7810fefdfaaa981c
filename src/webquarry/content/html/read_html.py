"""An HTML page as Markdown, with everything the page tells about itself."""

import re
from urllib.parse import urljoin

from webquarry.content.html.charset import Decoded, decode_page
from webquarry.content.html.clean_html import html_of
from webquarry.content.html.dom import Element, parse_html
from webquarry.content.html.metadata import Reader
from webquarry.content.html.walls import wall_of
from webquarry.content.main_content.extract import base_of, find_content, write_content
from webquarry.content.ranking.source_type import classify
from webquarry.content.text.length import count_words
from webquarry.content.visibility.element_index import ElementIndex, survey_of
from webquarry.models.page import PageContent

_REFRESH = re.compile(r"^\s*([\d.]+)\s*[;,]\s*(?:url\s*=)?\s*['\"]?\s*([^'\"\s>]+)", re.IGNORECASE)
_SOON = 10  # seconds: a slower refresh reloads a page that is meant to be read
_MAX_FRAMES = 5
_THIN = 30  # words: with fewer, the content may be in a frame


def to_text(html: str | bytes, url: str = "") -> str:
    """Return the words of the main content, one block a line."""
    root = parse_html(_text(html).text)
    return "" if root is None else find_content(root, url).text()


def to_markdown(html: str | bytes, url: str = "", content_type: str | None = None) -> str:
    """Return the main content as Markdown, as `read_html` does and without the rest of its work."""
    root = parse_html(_text(html, content_type).text)
    if root is None:
        return ""
    base = base_of(root, url)
    survey = survey_of(root)  # held until the end, and with it every element
    return write_content(find_content(root, url, survey), base).markdown


def read_html(
    html: str | bytes, *, url: str, content_type: str | None = None, keep_html: bool = False
) -> PageContent:
    """Read one page: its content, its metadata, and what was hidden or stands in the way.

    With `keep_html` the main content comes as HTML as well.
    """
    decoded = _text(html, content_type)
    root = parse_html(decoded.text)
    if root is None:
        return PageContent(url=url, markdown="", charset=decoded.charset)
    base = base_of(root, url)
    survey = survey_of(root)
    refresh, frames = _refresh(survey, base), _frames(root, survey, base)
    reader = Reader(root, url, survey)
    structured = reader.structured()
    found = find_content(root, url, survey)
    metadata = reader.metadata()  # after hidden text is gone and before the page is pruned
    written = write_content(found, base)
    words = count_words(written.markdown)
    kind = classify(url, kinds=metadata.kinds, cites="citation_title" in structured.citation)
    return PageContent(
        url=url,
        markdown=written.markdown,
        metadata=metadata,
        structured=structured,
        removed=found.sweep.report(),
        charset=decoded.charset,
        confidence=round(found.choice.confidence, 3),
        wordCount=words,
        sourceType=kind.sourceType,
        wall=wall_of(
            written.markdown, title=metadata.title, words=words, source=decoded.text, url=url
        ),
        refresh=refresh,
        frames=frames if words < _THIN else (),
        embedded=written.embedded,
        html=html_of(found.part, base) if keep_html and not written.embedded else "",
    )


def _text(html: str | bytes, content_type: str | None = None) -> Decoded:
    return Decoded(html, "utf-8") if isinstance(html, str) else decode_page(html, content_type)


def _refresh(survey: ElementIndex, base: str) -> str:
    """Return where a meta refresh sends the reader before long."""
    for meta in survey.named["meta"]:
        if (meta.get("http-equiv") or "").lower() != "refresh":
            continue
        found = _REFRESH.match(meta.get("content") or "")
        if found and found[1].count(".") < 2 and float(found[1]) <= _SOON:
            return _joined(base, found[2])
    return ""


def _frames(root: Element, survey: ElementIndex, base: str) -> tuple[str, ...]:
    """Return the addresses of the page's frames."""
    if not survey.named["frame"] and not survey.named["iframe"]:
        return ()
    sources = (frame.get("src") or "" for frame in root.iter("frame", "iframe"))
    joined = (_joined(base, source) for source in sources)
    return tuple(address for address in joined if address)[:_MAX_FRAMES]


def _joined(base: str, target: str) -> str:
    try:
        address = urljoin(base, target.strip())
    except ValueError:
        return ""
    return address if address.startswith(("http://", "https://")) else ""
