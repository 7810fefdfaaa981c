"""Engines that failed, as the result page of an instance lists them."""

import re

from webquarry.content.html.dom import Element, text_of
from webquarry.searxng.html_elements import find_all, find_first, has_class

_FAILED = re.compile(r"(?<![^(),])([^(),]++)\(([^()]*)\)")
_BOX = f"//div[{has_class('dialog-error')} or {has_class('alert-danger')}]"


def engine_failures(root: Element) -> tuple[tuple[str, str], ...]:
    """Return the engines that failed, and why.

    SearXNG has a table, whose other rows are response times of engines that did not fail. Earlier
    versions and searx have a box like `bing (timeout), qwant (CAPTCHA)`.
    """
    messages = find_first(root, "//*[@id='engines_msg']")
    if messages is None:
        return _failures_in(find_first(root, _BOX))
    rows = find_all(messages, f".//tr[td[{has_class('response-error')}]]")
    table = [[text_of(cell) for cell in find_all(row, "./td")] for row in rows]
    if failures := tuple((cells[0], cells[-1]) for cells in table if len(cells) >= 2):
        return failures
    return _failures_in(find_first(messages, f".{_BOX}"))


def _failures_in(box: Element | None) -> tuple[tuple[str, str], ...]:
    heading = None if box is None else find_first(box, ".//p")
    # "Sorry!" alone introduces a page without results
    if box is None or heading is None or text_of(heading) == _strong_text(heading):
        return ()
    paragraphs = find_all(box, ".//p[not(.//small)]")[1:]
    listed = [text_of(paragraph) for paragraph in paragraphs] or [heading.tail or ""]
    return tuple(
        (match[1].strip(), match[2].strip())
        for text in listed
        for match in _FAILED.finditer(" ".join(text.split()))
    )


def _strong_text(heading: Element) -> str:
    strong = find_first(heading, "./strong")
    return "" if strong is None else text_of(strong)
