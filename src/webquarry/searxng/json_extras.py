"""Answers, infoboxes, suggestions and corrections in the JSON of an instance."""

from typing import Any, cast

from webquarry.content.ranking.result_urls import is_http_url
from webquarry.content.text.snippets import plain_text
from webquarry.searxng.query_values import NO_EXTRAS, DirectAnswer, Infobox, SearchExtras

# of a weather answer, in the order in which they are read out
_WEATHER = ("location", "summary", "condition", "temperature", "humidity")


def read_extras(answers: Any, infoboxes: Any, suggestions: Any, corrections: Any) -> SearchExtras:
    """Return what the response has beside its results.

    These parts differ between versions and plugins, so each is read on its own.
    """
    if not (answers or infoboxes or suggestions or corrections):
        return NO_EXTRAS
    read = [_answer(answer) for answer in _list(answers)]
    boxes = [_infobox(box) for box in _objects(infoboxes)]
    return SearchExtras(
        answers=tuple(answer for answer in read if answer.text),
        infoboxes=tuple(box for box in boxes if box.title),
        suggestions=_texts(suggestions),
        corrections=_texts(corrections),
        unreadable=sum(not answer.text for answer in read),
    )


def _answer(value: Any) -> DirectAnswer:
    """Return an answer: text in searx, an object of several types in SearXNG."""
    if not isinstance(value, dict):
        return DirectAnswer(text=plain_text(_scalar(value)))
    answer = cast("dict[str, Any]", value)
    text = (
        _scalar(answer.get("answer"))
        or "; ".join(_translations(answer.get("translations")))
        or ", ".join(_weather(answer.get("current")))
    )
    return DirectAnswer(text=plain_text(text), url=_url(answer.get("url")))


def _translations(values: Any) -> tuple[str, ...]:
    return tuple(text for entry in _objects(values) if (text := _scalar(entry.get("text"))))


def _weather(current: Any) -> list[str]:
    known = cast("dict[str, Any]", current) if isinstance(current, dict) else {}
    return [text for name in _WEATHER if (text := _scalar(known.get(name)))]


def _infobox(box: dict[str, Any]) -> Infobox:
    links = [link.get("url") for link in _objects(box.get("urls"))]
    rows = [
        (_scalar(row.get("label")), row.get("value")) for row in _objects(box.get("attributes"))
    ]
    return Infobox(
        title=plain_text(_scalar(box.get("infobox"))),
        content=plain_text(_scalar(box.get("content"))),
        url=next((url for link in (*links, box.get("id")) if (url := _url(link))), ""),
        attributes=tuple(
            (plain_text(_scalar(label)), text)
            for label, value in rows
            if (text := plain_text(_scalar(value)))
        ),
    )


def _texts(values: Any) -> tuple[str, ...]:
    return tuple(text for row in _list(values) if (text := plain_text(_scalar(row))))


def _objects(values: Any) -> list[dict[str, Any]]:
    return [cast("dict[str, Any]", row) for row in _list(values) if isinstance(row, dict)]


def _list(values: Any) -> list[Any]:
    return cast("list[Any]", values) if isinstance(values, list) else []


def _scalar(value: Any) -> str:
    return str(value) if isinstance(value, str | int | float) else ""


def _url(value: Any) -> str:
    return value if isinstance(value, str) and is_http_url(value) else ""
