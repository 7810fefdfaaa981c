"""DataCite, DOIs of data, software and preprints (https://support.datacite.org/docs/api)."""

from typing import ClassVar

from pydantic import AliasPath, Field

from webquarry.content.citations.identifiers import arxiv_id, clean_doi, doi_url
from webquarry.content.text.snippets import plain_text
from webquarry.models.model import Items
from webquarry.models.works import Work
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.providers.works_wire import (
    WORK_LIMITS,
    abstract_text,
    identifier_path,
    present_ids,
    year_of,
)


class DataCite:
    """Looks up works by DOI. Needs no key."""

    about: ClassVar = ProviderInfo(
        name="datacite",
        docs="https://support.datacite.org/docs/api",
        base_url="https://api.datacite.org",
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        self._api = upstreams.api(self.about.name, self.about.base_url, WORK_LIMITS)

    async def work_by_doi(self, doi: str) -> Work | None:
        response = await self._api.get(f"dois/{identifier_path(doi)}", expect=(404,))
        if response.status == 404:
            return None
        return self._api.decode(_Record, response).to_work()


class _Title(Wire):
    title: str | None = None


class _Creator(Wire):
    name: str | None = None
    given: str | None = Field(default=None, alias="givenName")
    family: str | None = Field(default=None, alias="familyName")

    @property
    def full_name(self) -> str | None:
        both = self.given and self.family
        return f"{self.given} {self.family}" if both else self.name


class _Named(Wire):
    name: str | None = None


class _Description(Wire):
    description: str | None = None
    kind: str | None = Field(default=None, alias="descriptionType")


class _Attributes(Wire):
    doi: str
    titles: Items[_Title] = ()
    creators: Items[_Creator] = ()
    year: int | None = Field(default=None, alias="publicationYear")
    publisher: _Named | str | None = None
    descriptions: Items[_Description] = ()
    container: str | None = Field(default=None, validation_alias=AliasPath("container", "title"))
    kind: str | None = Field(
        default=None, validation_alias=AliasPath("types", "resourceTypeGeneral")
    )
    cited: int | None = Field(default=None, alias="citationCount")

    @property
    def title(self) -> str | None:
        return next((each.title for each in self.titles if each.title), None)


class _Record(Wire):
    attributes: _Attributes = Field(validation_alias=AliasPath("data", "attributes"))

    def to_work(self) -> Work | None:
        data = self.attributes
        title, doi = plain_text(data.title), clean_doi(data.doi)
        if not doi or not title:
            return None
        descriptions = {each.kind: each.description for each in data.descriptions}
        publisher = data.publisher
        return Work(
            title=title,
            url=doi_url(doi),
            source="datacite",
            doi=doi,
            authors=tuple(name for each in data.creators if (name := each.full_name)),
            journal=data.container,
            year=year_of(data.year),
            published=str(data.year) if data.year else None,
            abstract=abstract_text(descriptions.get("Abstract")),
            citationCount=data.cited,
            ids=present_ids(arxiv=arxiv_id(doi)),
            type=data.kind,
            publisher=publisher.name if isinstance(publisher, _Named) else publisher,
        )
