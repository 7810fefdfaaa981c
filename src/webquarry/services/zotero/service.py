"""Reads the references of a Zotero library, marks them, and adds sources."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from webquarry.errors import BadInputError
from webquarry.models.session import ResearchSource
from webquarry.providers.capabilities_library import (
    KeepsLibrary,
    LibraryCollection,
    LibraryConflictError,
    LibraryItem,
)
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.zotero.marks import NOTE_TAG, ItemFinding, plan_marks
from webquarry.services.zotero.references import item_ids, new_item, source_ids

_NAMES_SHOWN = 10
_Change = dict[str, Any]


@dataclass(frozen=True)
class WrittenMarks:
    """How many items and notes were changed or created."""

    items: int
    notes: int


@dataclass(frozen=True)
class AddedSources:
    """How many sources were added, and how many were in the library before."""

    added: int
    present: int


class ZoteroService:
    """One library."""

    def __init__(self, library: KeepsLibrary) -> None:
        self._library = library

    def check_writable(self) -> None:
        """Raise an error that says what is missing if the library can only be read."""
        self._library.check_writable()

    async def collections(self) -> tuple[LibraryCollection, ...]:
        """Return all collections."""
        return await self._library.list_collections()

    async def collection_key(self, name: str | None) -> str:
        """Return the key of the collection with this key or name; empty for the whole library."""
        if name is None:
            return ""
        collections = await self.collections()
        wanted = name.strip().casefold()
        by_key = [each for each in collections if each.key == name.strip()]
        found = by_key or [each for each in collections if each.name.casefold() == wanted]
        if len(found) > 1:
            keys = ", ".join(each.key for each in found)
            raise BadInputError(
                f"{len(found)} collections are called '{name}'. Give a key: {keys}."
            )
        if not found:
            names = ", ".join(sorted(each.name for each in collections)[:_NAMES_SHOWN])
            raise BadInputError(f"No collection is called '{name}'. There are: {names or 'none'}.")
        return found[0].key

    async def items(self, collection: str = "") -> tuple[LibraryItem, ...]:
        """Return the items of a collection (by its key) or of the library."""
        return (await self._library.list_items(collection)).items

    async def mark(
        self, findings: Mapping[str, ItemFinding], day: str, collection: str = ""
    ) -> WrittenMarks:
        """Write tags and notes for what an audit found, by the key of the item."""

        async def plan() -> tuple[list[_Change], int]:
            found = await self._library.list_items(collection)
            notes = await self._library.list_notes(NOTE_TAG)
            changes = plan_marks(found.items, notes.items, findings, day)
            return changes, min(found.version, notes.version)

        changes = await self._write(plan)
        notes = sum("note" in change for change in changes)
        return WrittenMarks(len(changes) - notes, notes)

    async def add(self, sources: Sequence[ResearchSource], collection: str = "") -> AddedSources:
        """Add the sources that are not there, and put all of them into the collection."""

        async def plan() -> tuple[list[_Change], int]:
            found = await self._library.list_items()
            return _additions(sources, found.items, collection), found.version

        changes = await self._write(plan)
        added = sum("itemType" in change for change in changes)
        return AddedSources(added, len(sources) - added)

    async def _write(
        self, plan: Callable[[], Awaitable[tuple[list[_Change], int]]]
    ) -> list[_Change]:
        """Plan changes and write them; after a conflict plan once more."""
        changes, version = await plan()
        try:
            await self._write_changes(changes, version)
        except LibraryConflictError:
            changes, version = await plan()
            try:
                await self._write_changes(changes, version)
            except LibraryConflictError as error:
                raise LibraryConflictError(
                    "Somebody else is changing this Zotero library. Run the command again later; "
                    "what was written stays and is not written twice.",
                    provider=self._library.about.name,
                ) from error
        return changes

    async def _write_changes(self, changes: list[_Change], version: int) -> None:
        if changes:
            await self._library.write_items(changes, version)


def open_zotero(providers: ProviderDirectory) -> ZoteroService:
    """Return the configured library; an error names the missing setting."""
    return ZoteroService(providers.of(KeepsLibrary).require("zotero"))


def _additions(
    sources: Sequence[ResearchSource], items: Sequence[LibraryItem], collection: str
) -> list[_Change]:
    """Return new items for unknown sources, and known items that the collection lacks."""
    known: dict[str, LibraryItem | None] = {id_: item for item in items for id_ in item_ids(item)}
    changes: dict[str, _Change] = {}
    for source in sources:
        ids = source_ids(source)
        present = [known[id_] for id_ in ids if id_ in known]
        if not present:
            changes[source.url] = new_item(source, collection)
            known |= dict.fromkeys(ids)
        elif (item := present[0]) and collection and collection not in item.collections:
            changes[item.key] = {"key": item.key, "collections": [*item.collections, collection]}
    return list(changes.values())
