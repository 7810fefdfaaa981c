"""HTML results of an instance whose JSON is switched off.

Reads the themes `simple` of SearXNG and of searx, and `oscar` of searx.
"""

import re
from urllib.parse import urljoin

from webquarry.content.html.dom import Element, parse_html, text_of
from webquarry.content.ranking.result_urls import is_http_url
from webquarry.content.text.timestamps import to_rfc3339
from webquarry.errors import PayloadError
from webquarry.searxng.html_elements import find_all, find_first, has_class
from webquarry.searxng.html_engine_failures import engine_failures
from webquarry.searxng.html_extras import read_extras
from webquarry.searxng.query_values import Hit, InstancePage

_NUMBER = re.compile(r"\d[\d.,\s\u00a0\u202f]*")
_MAX_NUMBER = 30  # characters


def read_html(content: bytes, *, url: str, name: str, now: float) -> InstancePage:
    """Return the results; `PayloadError` for a page that is not a result page."""
    root = parse_html(content.decode())
    container = None if root is None else find_first(root, "//*[@id='main_results' or @id='urls']")
    if root is None or container is None:
        raise PayloadError(f"Unexpected response ({name}): its page has no list of results.")
    elements = find_all(container, f".//*[{has_class('result')}]")
    entries = [entry for e in elements if (entry := _Entry(e, url)).url]
    usable = [entry for entry in entries if is_http_url(entry.url)]
    return InstancePage(
        hits=tuple(entry.hit(rank, now) for rank, entry in enumerate(usable, 1)),
        total=_total(root),
        unresponsive=engine_failures(root),
        unusable=len(entries) - len(usable),
        from_html=True,
        extras=read_extras(root),
    )


class _Entry:
    """One result of the page."""

    def __init__(self, element: Element, base: str) -> None:
        self._element = element
        self._base = base
        self._is_image = "result-images" in (element.get("class") or "").split()
        self.url = self._link(_IMAGE_PAGE) if self._is_image else ""
        self.url = self.url or self._link(".//h3//a[@href]") or self._link(".//h4//a[@href]")

    def hit(self, rank: int, now: float) -> Hit:
        """Return the result, which is the `rank`-th of the page."""
        time = find_first(self._element, ".//time")
        timestamp = time.get("datetime") if time is not None else None
        return Hit(
            title=self._title() or self.url,
            url=self.url,
            description=self._text(".//*[{} or {}]", "content", "result-content"),
            # HTML has no scores; this is the score of a result that one engine returned
            score=round(1 / rank, 4),
            engines=tuple(dict.fromkeys(self._engines())),
            published=to_rfc3339(timestamp, now),
            image=self._link("(.//a[@href])[1]") if self._is_image else "",
            thumbnail=self._thumbnail(),
        )

    def _title(self) -> str:
        if not self._is_image:
            return self._text(".//h3|.//h4")
        title = self._text(".//*[{}]", "title") or self._text(".//h4")
        image = find_first(self._element, ".//img[@alt]")
        return title or ("" if image is None else image.get("alt") or "")

    def _engines(self) -> list[str]:
        path = f".//*[{has_class('engines')}]//span|.//span[{has_class('label-default')}]"
        names = [text_of(span) for span in find_all(self._element, path)]
        # "Engine: name", where the label is in the language of the instance
        labelled = find_first(self._element, f".//p[{has_class('result-engine')}]")
        if labelled is not None:
            names.append(text_of(labelled).partition(":")[2].strip())
        return [name for name in names if name]

    def _thumbnail(self) -> str:
        image = find_first(self._element, ".//img[@src]")
        source = "" if image is None else image.get("src") or ""
        return source if is_http_url(source) else ""

    def _link(self, path: str) -> str:
        link = find_first(self._element, path)
        href = (link.get("href") or "").strip() if link is not None else ""
        try:
            return urljoin(self._base, href) if href else ""
        except ValueError:
            return href

    def _text(self, path: str, *classes: str) -> str:
        element = find_first(self._element, path.format(*map(has_class, classes)))
        return "" if element is None else text_of(element)


# link to the page of an image: in SearXNG, in searx with `simple`, in searx with `oscar`
_IMAGE_PAGE = (
    f".//p[{has_class('result-url')}]//a[@href]"
    f"|.//span[{has_class('url')}]//a[@href]"
    f"|.//div[{has_class('modal-footer')}]//div[{has_class('col-md-6')}][2]//a[@href]"
)


def _total(root: Element) -> int:
    count = find_first(root, "//*[@id='result_count']|//*[@id='sidebar_results']/p/small")
    number = _NUMBER.search(text_of(count)) if count is not None else None
    return int(re.sub(r"\D", "", number[0][:_MAX_NUMBER])) if number else 0
