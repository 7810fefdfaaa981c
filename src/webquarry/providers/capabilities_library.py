"""The protocol of reference libraries, and the items in them."""

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, NamedTuple, Protocol, runtime_checkable

from pydantic import AliasChoices, BeforeValidator, Field
from pydantic.alias_generators import to_camel

from webquarry.errors import ProviderError
from webquarry.providers.provider import ProviderInfo, Wire


def _text(value: Any) -> Any:
    return "" if value is None or value is False else value


_Text = Annotated[str, BeforeValidator(_text)]


class LibraryConflictError(ProviderError):
    """Somebody else changed the library after it was read."""


class ItemCreator(Wire):
    """A person or organisation; an organisation has only `name`."""

    model_config = Wire.model_config | {"alias_generator": to_camel}

    creator_type: _Text = ""
    first_name: _Text = ""
    last_name: _Text = ""
    name: _Text = ""


class LibraryItem(Wire):
    """An item; a field that its type does not have is empty."""

    model_config = Wire.model_config | {"alias_generator": to_camel}

    key: str
    item_type: str
    title: _Text = Field(
        default="", validation_alias=AliasChoices("title", "caseName", "nameOfAct", "subject")
    )
    venue: _Text = Field(
        default="",
        validation_alias=AliasChoices("publicationTitle", "proceedingsTitle", "bookTitle"),
    )
    creators: tuple[ItemCreator, ...] = ()
    date: _Text = ""
    doi: _Text = Field(default="", validation_alias="DOI")
    url: _Text = ""
    volume: _Text = ""
    pages: _Text = ""
    isbn: _Text = Field(default="", validation_alias="ISBN")
    archive_id: _Text = Field(default="", validation_alias="archiveID")
    extra: _Text = ""
    note: _Text = ""
    parent_item: _Text = ""
    tags: tuple[dict[str, Any], ...] = ()
    collections: tuple[str, ...] = ()


class LibraryCollection(Wire):
    """A collection; `parent_collection` is the key of the one it is in."""

    model_config = Wire.model_config | {"alias_generator": to_camel}

    key: str
    name: str
    parent_collection: _Text = ""


class LibraryItems(NamedTuple):
    """Items, and the version of the library when the first of them was read."""

    items: tuple[LibraryItem, ...]
    version: int


@runtime_checkable
class KeepsLibrary(Protocol):
    """Reads and writes the items of a reference library."""

    about: ClassVar[ProviderInfo]

    def check_writable(self) -> None:
        """Raise an error that says what is missing if the library can only be read."""
        ...

    async def list_collections(self) -> tuple[LibraryCollection, ...]:
        """Return all collections."""
        ...

    async def list_items(self, collection: str = "") -> LibraryItems:
        """Return the items of a collection (by its key) or of the library, without child items."""
        ...

    async def list_notes(self, tag: str) -> LibraryItems:
        """Return the notes with a tag."""
        ...

    async def write_items(self, changes: Sequence[dict[str, Any]], version: int) -> None:
        """Create items, or change the given fields of those with a `key`.

        `LibraryConflictError` if the library is newer than `version`.
        """
        ...
