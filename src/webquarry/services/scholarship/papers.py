"""Scholarly works as the tools show them."""

from collections.abc import Sequence

from webquarry.content.text.snippets import brief
from webquarry.models.works import Paper, ProviderFailure, Work

_LONGEST = 500  # characters of an abstract
_MOST_AUTHORS = 20
_OWN = frozenset({"openalex", "s2", "core", "europepmc"})


PAPER_FIELDS = (  # the optional ones with a question mark
    "title url source doi? authors? journal? year? abstract? citationCount? openAccess? pdfUrl? "
    "tldr? isInfluential? citationIntents? ids? retractionStatus? provenance? conflicts?"
)


def paper_of(work: Work, *, lean: bool = False) -> Paper:
    """Return what a caller sees; a lean one leaves out what costs most to read."""
    return Paper(
        title=work.title,
        url=work.url,
        source=work.source,
        doi=work.doi,
        authors=_names(work.authors),
        journal=work.journal,
        year=work.year,
        abstract=None if lean else brief(work.abstract, _LONGEST) or None,
        citationCount=work.citationCount,
        openAccess=work.openAccess,
        pdfUrl=work.pdfUrl,
        tldr=None if lean else work.tldr,
        isInfluential=work.isInfluential,
        citationIntents=list(work.citationIntents) or None,
        ids=_ids(work) or None,
        retractionStatus=work.retraction,
        provenance=_provenance(work),
        conflicts={name: dict(told) for name, told in work.conflicts.items()} or None,
    )


def notes_of(
    failures: Sequence[ProviderFailure], unchecked: Sequence[str], unknown: dict[str, int]
) -> list[str]:
    """Return what a reader must know to judge a list of papers."""
    notes: list[str] = []
    if failures:
        names = ", ".join(f"{each.provider} ({each.kind})" for each in failures)
        notes.append(f"Could not be asked: {names}; there may be more.")
    if unchecked:
        notes.append(f"Retractions not checked: {', '.join(unchecked)}.")
    notes += [
        f"Left out because {name} cannot be judged from the record: {count}."
        for name, count in unknown.items()
    ]
    return notes


def _names(authors: Sequence[str]) -> list[str] | None:
    more = len(authors) - _MOST_AUTHORS
    shown = list(authors[:_MOST_AUTHORS])
    return [*shown, f"and {more} more"] if more > 0 else shown or None


def _ids(work: Work) -> dict[str, str]:
    """Return the identifiers that others understand; a provider's own only if there is no DOI."""
    return {name: value for name, value in work.ids.items() if name not in _OWN or not work.doi}


def _provenance(work: Work) -> dict[str, list[str]] | None:
    if len(work.providers) < 2 and {*work.origins.values()} <= {work.source}:
        return None  # `source` says it
    by_provider: dict[str, list[str]] = {}
    for name, provider in work.origins.items():
        if name in Paper.model_fields:
            by_provider.setdefault(provider, []).append(name)
    return by_provider or None
