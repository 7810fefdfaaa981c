"""The provider tables in the docs, from what the provider classes declare."""

from collections.abc import Iterable, Mapping, Sequence

from typing_extensions import get_protocol_members

from webquarry.providers.all_providers import PROVIDERS
from webquarry.providers.capabilities_archive import FindsSnapshots, SavesPages
from webquarry.providers.capabilities_library import KeepsLibrary
from webquarry.providers.capabilities_owners import KnowsOwners
from webquarry.providers.capabilities_patents import FindsPatents, SearchesPatents
from webquarry.providers.capabilities_records import (
    SearchesCases,
    SearchesFilings,
    SearchesSeries,
    SearchesTrials,
)
from webquarry.providers.capabilities_search import (
    SearchesImages,
    SearchesNews,
    SearchesPlaces,
    SearchesWeb,
)
from webquarry.providers.capabilities_synthesis import AnswersQuestions, SearchesStructured
from webquarry.providers.capabilities_works import (
    FindsOpenCopies,
    HoldsFullTexts,
    KnowsNotices,
    LinksWorks,
    LooksUpWorks,
    MatchesTitles,
    RegistersDois,
    SearchesWorks,
)
from webquarry.providers.provider import Provider, ProviderInfo

Columns = Mapping[str, type]

_SEARCH: Columns = {
    "web": SearchesWeb,
    "news": SearchesNews,
    "images": SearchesImages,
    "places": SearchesPlaces,
}
_WORKS: Columns = {
    "search": SearchesWorks,
    "by DOI": LooksUpWorks,
    "by title": MatchesTitles,
    "citations": LinksWorks,
    "free copies": FindsOpenCopies,
    "texts": HoldsFullTexts,
    "retractions": KnowsNotices,
    "DOI exists": RegistersDois,
}
_PATENTS: Columns = {"search": SearchesPatents, "by number": FindsPatents}
_RECORDS: Columns = {
    "filings": SearchesFilings,
    "court cases": SearchesCases,
    "statistics": SearchesSeries,
    "clinical trials": SearchesTrials,
}
_OTHER: Columns = {
    "written answers": AnswersQuestions,
    "structured search": SearchesStructured,
    "archived copies": FindsSnapshots,
    "new captures": SavesPages,
    "brand owners": KnowsOwners,
    "reference library": KeepsLibrary,
}
# The generated sections by document and name.
SECTIONS: Mapping[str, Mapping[str, Columns]] = {
    "docs/providers.md": {
        "web": _SEARCH,
        "papers": _WORKS,
        "patents": _PATENTS,
        "records": _RECORDS,
        "other": _OTHER,
    },
    "docs/searching.md": {"web": _SEARCH},
    "docs/scholarship.md": {"papers": _WORKS},
}


def provider_table(columns: Columns) -> str:
    """Return a table of the providers that have one of the capabilities, in order of preference."""
    head = ("provider", *columns, "settings")
    rows = [
        (
            f"[{cls.about.name}]({cls.about.docs.removeprefix('docs/')})",
            *cells,
            _settings(cls.about),
        )
        for cls in PROVIDERS
        if any(cells := [_cell(cls, protocol) for protocol in columns.values()])
    ]
    return "".join(_line(row) for row in (head, ("---",) * len(head), *rows))


def _cell(cls: type[Provider], protocol: type) -> str:
    members = get_protocol_members(protocol)
    if not all(hasattr(cls, name) for name in members):
        return ""
    general = all(getattr(getattr(cls, name), "general", True) for name in members)
    return "yes" if general else "by name"


def _settings(about: ProviderInfo) -> str:
    required = [f"`{name}`" for name in about.requires]
    optional = [
        f"`{variable.name}` (optional)"
        for variable in about.variables
        if variable.name not in about.requires
    ]
    return ", ".join((*required, *optional))


def _line(cells: Sequence[str]) -> str:
    return "".join(f"| {cell} " if cell else "| " for cell in cells) + "|\n"


def tables_of(document: str) -> Iterable[tuple[str, str]]:
    """Return the generated sections of a document: name and table."""
    return ((name, provider_table(columns)) for name, columns in SECTIONS[document].items())
