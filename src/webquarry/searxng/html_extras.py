"""Answers, infoboxes, suggestions and corrections on the result page of an instance."""

from webquarry.content.html.dom import Element, text_of
from webquarry.content.ranking.result_urls import is_http_url
from webquarry.searxng.html_elements import find_all, find_first, has_class
from webquarry.searxng.query_values import DirectAnswer, Infobox, SearchExtras

_ANSWERS = (
    f"//*[@id='answers']//*[{has_class('answer')}]"
    f"|//*[@id='main_results']/*[{has_class('result')} and {has_class('well')}]"
)
_INFOBOXES = f"//*[{has_class('infobox')}]"
_SUGGESTIONS = (
    "//*[@id='suggestions']//input[@type='submit']"
    f"|//*[@id='sidebar_results']//form[{has_class('suggestion_item')}]//button"
)
_CORRECTIONS = (
    "//*[@id='corrections']//input[@type='submit']"
    f"|//*[@id='main_results']//form[{has_class('suggestion_item')}]//button"
)


def read_extras(root: Element) -> SearchExtras:
    """Return what the page shows beside its results."""
    infoboxes = [_infobox(element) for element in find_all(root, _INFOBOXES)]
    return SearchExtras(
        answers=tuple(
            DirectAnswer(text=text, url=_first_link(element))
            for element in find_all(root, _ANSWERS)
            if (text := text_of(element))
        ),
        infoboxes=tuple(infobox for infobox in infoboxes if infobox.title),
        suggestions=_labels(root, _SUGGESTIONS),
        corrections=_labels(root, _CORRECTIONS),
    )


def _infobox(element: Element) -> Infobox:
    title = find_first(element, f".//h2|.//*[{has_class('panel-title')}]")
    content = find_first(element, f"./p|.//p[{has_class('infobox_part')}]")
    rows = find_all(element, f".//*[{has_class('attributes')}]//dl|.//table//tr")
    cells = [[text_of(cell) for cell in find_all(row, "./dt|./dd|./td")] for row in rows]
    return Infobox(
        title="" if title is None else text_of(title),
        content="" if content is None else text_of(content),
        url=_first_link(element),
        attributes=tuple(
            # the label ends with a colon
            (texts[0].rstrip(" :"), texts[1])
            for texts in cells
            if len(texts) == 2 and texts[1]
        ),
    )


def _first_link(element: Element) -> str:
    urls = [link.get("href") or "" for link in find_all(element, ".//a[@href]")]
    return next((url for url in urls if is_http_url(url)), "")


def _labels(root: Element, path: str) -> tuple[str, ...]:
    texts = [element.get("value") or text_of(element) for element in find_all(root, path)]
    # searx writes a bullet before each suggestion
    return tuple(label for text in texts if (label := text.lstrip("\u2022 ").strip()))
