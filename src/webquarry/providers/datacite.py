"""DataCite, DOIs of data, software and preprints (https://support.datacite.org/docs/api)."""

from typing import ClassVar

from pydantic import AliasPath, Field

from webquarry.content.citations.identifiers import arxiv_id, clean_doi, doi_url
from webquarry.content.text.snippets import plain
from webquarry.models.works import Work
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.providers.works_wire import WORK_LIMITS, in_path, known, prose, year_of


class DataCite:
    """Knows works by their DOI. Needs no key."""

    about: ClassVar = ProviderInfo(
        name="datacite",
        docs="https://support.datacite.org/docs/api",
        base_url="https://api.datacite.org",
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        self._api = upstreams.api(self.about.name, self.about.base_url, WORK_LIMITS)

    async def work_by_doi(self, doi: str) -> Work | None:
        response = await self._api.get(f"dois/{in_path(doi)}", expect=(404,))
        if response.status == 404:
            return None
        return self._api.decode(_Record, response).to_work()


class _Title(Wire):
    title: str | None = None


class _Creator(Wire):
    name: str | None = None
    given: str | None = Field(default=None, alias="givenName")
    family: str | None = Field(default=None, alias="familyName")

    def full(self) -> str | None:
        both = self.given and self.family
        return f"{self.given} {self.family}" if both else self.name


class _Named(Wire):
    name: str | None = None


class _Description(Wire):
    description: str | None = None
    kind: str | None = Field(default=None, alias="descriptionType")


class _Attributes(Wire):
    doi: str
    titles: tuple[_Title, ...] | None = None
    creators: tuple[_Creator, ...] | None = None
    year: int | None = Field(default=None, alias="publicationYear")
    publisher: _Named | str | None = None
    descriptions: tuple[_Description, ...] | None = None
    container: str | None = Field(default=None, validation_alias=AliasPath("container", "title"))
    kind: str | None = Field(
        default=None, validation_alias=AliasPath("types", "resourceTypeGeneral")
    )
    cited: int | None = Field(default=None, alias="citationCount")


class _Record(Wire):
    told: _Attributes = Field(validation_alias=AliasPath("data", "attributes"))

    def to_work(self) -> Work | None:
        told, doi = self.told, clean_doi(self.told.doi)
        title = next((plain(each.title) for each in told.titles or () if each.title), "")
        if not doi or not title:
            return None
        said = {each.kind: each.description for each in told.descriptions or ()}
        publisher = told.publisher
        return Work(
            title=title,
            url=doi_url(doi),
            source="datacite",
            doi=doi,
            authors=tuple(name for each in told.creators or () if (name := each.full())),
            journal=told.container,
            year=year_of(told.year),
            published=str(told.year) if told.year else None,
            abstract=prose(said.get("Abstract")),
            citationCount=told.cited,
            ids=known(arxiv=arxiv_id(doi)),
            type=told.kind,
            publisher=publisher.name if isinstance(publisher, _Named) else publisher,
        )
