"""Sources and recommendations as arguments, which may be results of other tools as they are."""

from functools import cache
from typing import Annotated, Any, cast

from pydantic import BaseModel, Field, StringConstraints, model_validator

from webquarry.models.model import Model
from webquarry.models.page import Citation
from webquarry.models.patents import Patent
from webquarry.models.reading import ScrapePageOut
from webquarry.models.records import Case, Filing, Trial
from webquarry.models.research import Recommendation, SourceResult
from webquarry.models.search import ImageResult, NewsResult, Place, WebResult
from webquarry.models.session import ResearchSource
from webquarry.models.synthesis import AnswerCitation
from webquarry.models.works import Paper, Work

_RESULTS: tuple[type[BaseModel], ...] = (
    AnswerCitation, Case, Citation, Filing, ImageResult, NewsResult, Paper, Patent,
    Place, Recommendation, ResearchSource, ScrapePageOut, SourceResult, Trial, WebResult, Work,
)  # fmt: skip
# of web_search
_SEARCH_RESULT = frozenset({"claimSignal", "displayLink", "providers", "sourceReputation"})
# fields that only CSL items have
_CSL = frozenset({"DOI", "URL", "issued", "container-title"})
_NAMES = {
    "url": ("website", "contextLink"),
    "title": ("caseName", "name"),
    "author": ("authors", "inventor", "company", "sponsor"),
    "site": ("journal", "court", "assignee", "displayLink"),
    "date": (
        "published", "publishedAt", "publishedDate", "year", "dateFiled", "filingDate", "granted",
        "filed", "startDate",
    ),
    "doi": ("detectedDoi",),
}  # fmt: skip


class _FromResult(Model):
    """Fields that can be taken from the result of another tool."""

    @model_validator(mode="before")
    @classmethod
    def _from_result(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        item = _unwrapped(cast("dict[str, Any]", given))
        own = cls.model_fields.keys()
        item = {**item, **_described(item)}
        found = {name: value for name in own if (value := _value(item, name)) is not None}
        unknown = {k: v for k, v in item.items() if k not in own and k not in _result_fields()}
        return found | unknown


class CitedSource(_FromResult):
    """One source to list."""

    url: str = ""
    title: str = ""
    author: str = ""
    site: str = ""
    date: str = ""
    doi: str = ""


class Recommended(_FromResult):
    """One item of a list."""

    title: Annotated[str, StringConstraints(strip_whitespace=True)] = Field(
        min_length=1, max_length=4000
    )
    url: str = ""
    author: str = ""
    authorBio: str = Field(default="", max_length=4000)


@cache
def _result_fields() -> frozenset[str]:
    return _SEARCH_RESULT | {name for model in _RESULTS for name in model.model_fields}


def _unwrapped(given: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that have a value, those of an inner record or citation among them."""
    item = {name: value for name, value in given.items() if value is not None}
    if not _CSL.isdisjoint(item):
        return _of_csl(item)
    if isinstance(item.get("matchedRecord"), dict):  # of verify_citation
        return _unwrapped(item["matchedRecord"])
    if isinstance(item.get("citation"), dict):  # of scrape_page
        return {**item, **_unwrapped(item.pop("citation"))}
    if isinstance(item.get("metadata"), dict):  # of a citation
        return {**item, **item.pop("metadata")}
    return item


def _of_csl(item: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a CSL item, as format_bibliography and reference managers write it."""
    issued = item.get("issued")
    parts = cast("dict[str, Any]", issued).get("date-parts") if isinstance(issued, dict) else None
    first = next(iter(cast("list[Any]", parts)), None) if isinstance(parts, list) else None
    days = cast("list[Any]", first) if isinstance(first, list) else []
    fields = {
        "url": item.get("URL"),
        "title": item.get("title"),
        "author": item.get("author"),
        "site": item.get("container-title"),
        "date": "-".join(str(part).zfill(2) for part in days),
        "doi": item.get("DOI"),
    }
    return {name: value for name, value in fields.items() if value}


def _described(item: dict[str, Any]) -> dict[str, str]:
    """Return the fields that records and news name in their own way."""
    if "caseName" in item:
        return {"title": ", ".join(str(item[n]) for n in ("caseName", "citation") if n in item)}
    if "formType" in item and "title" not in item:
        period = f" for {item['periodOfReport']}" if "periodOfReport" in item else ""
        return {"title": f"Form {item['formType']}{period}"}
    if "number" in item and "title" in item:
        return {"title": f"{item['title']} ({item['number']})"}
    if "publishedAt" in item and "source" in item:
        return {"site": str(item.get("site", item["source"]))}
    return {}


def _value(item: dict[str, Any], name: str) -> Any:
    """Return the first value that is not empty; lists of names as text, numbers as text."""
    values = (item.get(each) for each in (name, *_NAMES.get(name, ())))
    value = next((value for value in values if value), item.get(name))
    if name == "author" and isinstance(value, list | tuple):
        return "; ".join(map(_name, cast("list[Any]", value)))
    return str(value) if isinstance(value, int) else value


def _name(author: Any) -> str:
    """Return the name of an author, who may be an object with the parts of the name."""
    if not isinstance(author, dict):
        return str(author)
    parts = cast("dict[str, Any]", author)
    whole = parts.get("literal") or parts.get("name")
    return str(whole) if whole else f"{parts.get('given', '')} {parts.get('family', '')}".strip()
