"""The result page of an instance whose JSON is switched off.

Reads the themes `simple` of SearXNG and of searx, and `oscar` of searx.
"""

import re
from urllib.parse import urljoin

from webquarry.content.html.dom import Element, parse_html, text_of
from webquarry.content.ranking.result_urls import is_web
from webquarry.content.text.timestamps import to_rfc3339
from webquarry.errors import PayloadError
from webquarry.net.upstream.http_port import Response
from webquarry.searxng.query_values import Hit, InstancePage

_NUMBER = re.compile(r"\d[\d.,\s\u00a0\u202f]*")
_FAILED = re.compile(r"([^(),]+?)\s*\(([^()]*)\)")


def read_html(response: Response, *, name: str, now: float) -> InstancePage:
    """Return the results; `PayloadError` for a page that is no result page."""
    root = parse_html(response.text)
    home = None if root is None else _first(root, "//*[@id='main_results' or @id='urls']")
    if root is None or home is None:
        raise PayloadError(f"Unexpected answer ({name}): its page holds no list of results.")
    found = [_Entry(item, response.url) for item in _all(home, ".//*[{}]".format(_class("result")))]
    entries = [entry for entry in found if entry.has_link]
    usable = [entry for entry in entries if is_web(entry.url)]
    return InstancePage(
        hits=tuple(entry.hit(place, now) for place, entry in enumerate(usable, 1)),
        total=_total(root),
        unresponsive=_unresponsive(root),
        unusable=len(entries) - len(usable),
    )


class _Entry:
    """One result of the page."""

    def __init__(self, element: Element, base: str) -> None:
        self._element = element
        self._base = base
        self._is_image = "result-images" in (element.get("class") or "").split()
        self.url = self._link(_IMAGE_PAGE) if self._is_image else ""
        self.url = self.url or self._link(".//h3//a[@href]") or self._link(".//h4//a[@href]")
        self.has_link = bool(self.url)

    def hit(self, place: int, now: float) -> Hit:
        """Return the result at this place of the page."""
        time = _first(self._element, ".//time")
        moment = time.get("datetime") if time is not None else None
        return Hit(
            title=self._title() or self.url,
            url=self.url,
            description=self._text(".//*[{} or {}]", "content", "result-content"),
            # pages carry no scores; this is what an instance gives to a result of one engine
            score=round(1 / place, 4),
            engines=tuple(dict.fromkeys(self._engines())),
            published=to_rfc3339(moment, now),
            image=self._link("(.//a[@href])[1]") if self._is_image else "",
            thumbnail=self._picture(),
        )

    def _title(self) -> str:
        if not self._is_image:
            return self._text(".//h3|.//h4")
        said = self._text(".//*[{}]", "title") or self._text(".//h4")
        picture = _first(self._element, ".//img[@alt]")
        return said or ("" if picture is None else picture.get("alt") or "")

    def _engines(self) -> list[str]:
        path = ".//*[{}]//span|.//span[{}]".format(_class("engines"), _class("label-default"))
        named = [text_of(span) for span in _all(self._element, path)]
        # the words of the label are in the language of the instance
        told = _first(self._element, ".//p[{}]".format(_class("result-engine")))
        if told is not None:
            named.append(text_of(told).partition(":")[2].strip())
        return [name for name in named if name]

    def _picture(self) -> str:
        picture = _first(self._element, ".//img[@src]")
        source = "" if picture is None else picture.get("src") or ""
        return source if is_web(source) else ""

    def _link(self, path: str) -> str:
        link = _first(self._element, path)
        href = (link.get("href") or "").strip() if link is not None else ""
        try:
            return urljoin(self._base, href) if href else ""
        except ValueError:
            return href

    def _text(self, path: str, *classes: str) -> str:
        found = _first(self._element, path.format(*map(_class, classes)))
        return "" if found is None else text_of(found)


def _class(name: str) -> str:
    return f"contains(concat(' ', normalize-space(@class), ' '), ' {name} ')"


# where a picture's page is linked: in SearXNG, in searx with `simple`, in searx with `oscar`
_IMAGE_PAGE = (
    f".//p[{_class('result-url')}]//a[@href]"
    f"|.//span[{_class('url')}]//a[@href]"
    f"|.//div[{_class('modal-footer')}]//div[{_class('col-md-6')}][2]//a[@href]"
)


def _all(element: Element, path: str) -> list[Element]:
    found = element.xpath(path)
    return [item for item in found if isinstance(item, Element)] if isinstance(found, list) else []


def _first(element: Element, path: str) -> Element | None:
    return next(iter(_all(element, path)), None)


def _total(root: Element) -> int:
    counted = _first(root, "//*[@id='result_count']|//*[@id='sidebar_results']/p/small")
    number = _NUMBER.search(text_of(counted)) if counted is not None else None
    return int(re.sub(r"\D", "", number[0])) if number else 0


def _unresponsive(root: Element) -> tuple[tuple[str, str], ...]:
    """Return the engines an error box names, like `bing (timeout), qwant (CAPTCHA)`."""
    path = f"//div[{_class('dialog-error')} or {_class('alert-danger')}]"
    box = _first(root, path)
    words = "" if box is None else " ".join(text_of(box).split(":")[-1].split())
    rows = _all(root, "//*[@id='engines_msg']//tr")
    told = [tuple(text_of(cell) for cell in _all(row, "./td")) for row in rows]
    return (
        *((match[1].strip(), match[2]) for match in _FAILED.finditer(words)),
        *((cells[0], cells[-1]) for cells in told if len(cells) >= 2),
    )
