"""Open Library, a catalogue of books (https://openlibrary.org/dev/docs/api/search)."""

from dataclasses import replace
from typing import ClassVar
from urllib.parse import urljoin

from pydantic import Field

from webquarry.models.model import Items
from webquarry.models.works import Work
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.providers.works_wire import WORK_LIMITS, present_ids

_SITE = "https://openlibrary.org"
_FIELDS = "key,title,subtitle,author_name,first_publish_year,publisher,isbn"


class OpenLibrary:
    """Finds books by ISBN or title. Needs no key."""

    about: ClassVar = ProviderInfo(
        name="openlibrary",
        docs="https://openlibrary.org/dev/docs/api/search",
        base_url=_SITE,
    )
    identifiers: ClassVar = frozenset({"isbn"})

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        limits = replace(WORK_LIMITS, per_second=1, burst=3)
        self._api = upstreams.api(self.about.name, self.about.base_url, limits)

    async def work_by_identifier(self, kind: str, value: str) -> Work | None:
        found = await self._search({"isbn": value}, 1)
        return found[0] if found else None

    async def books_by_title(self, title: str, author: str = "") -> tuple[Work, ...]:
        return await self._search({"title": title, "author": author or None}, 5)

    async def _search(self, query: dict[str, str | None], count: int) -> tuple[Work, ...]:
        params = {**query, "fields": _FIELDS, "limit": count}
        found = self._api.decode(_Page, await self._api.get("search.json", params=params))
        return tuple(work for book in found.docs if (work := book.to_work()))


class _Book(Wire):
    key: str
    title: str | None = None
    subtitle: str | None = None
    authors: Items[str] = Field(default=(), alias="author_name")
    year: int | None = Field(default=None, alias="first_publish_year")
    publishers: Items[str] = Field(default=(), alias="publisher")
    isbns: Items[str] = Field(default=(), alias="isbn")

    def to_work(self) -> Work | None:
        if not self.title:
            return None
        return Work(
            title=self.title,
            subtitle=self.subtitle or None,
            url=urljoin(_SITE, self.key),
            source="openlibrary",
            authors=self.authors,
            year=self.year,
            publisher=next(iter(self.publishers), None),
            ids=present_ids(isbn=next(iter(self.isbns), None)),
            type="book",
        )


class _Page(Wire):
    docs: tuple[_Book, ...]
