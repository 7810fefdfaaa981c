"""Scholarly works as the tools show them."""

from collections.abc import Sequence

from webquarry.content.text.snippets import shorten_snippet
from webquarry.models.works import Paper, ProviderFailure, Work

_MAX_ABSTRACT = 500  # characters
_MAX_AUTHORS = 20
_PROVIDER_IDS = frozenset({"openalex", "s2", "core", "europepmc"})


PAPER_FIELDS = (  # the optional ones with a question mark
    "title url source doi? authors? journal? year? abstract? citationCount? openAccess? pdfUrl? "
    "tldr? isInfluential? citationIntents? ids? retractionStatus? provenance? conflicts?"
)


def paper_of(work: Work, *, lean: bool = False) -> Paper:
    """Return the work for callers; a lean one without abstract and summary."""
    return Paper(
        title=work.title,
        url=work.url,
        source=work.source,
        doi=work.doi,
        authors=_names(work.authors),
        journal=work.journal,
        year=work.year,
        abstract=None if lean else shorten_snippet(work.abstract, _MAX_ABSTRACT) or None,
        citationCount=work.citationCount,
        openAccess=work.openAccess,
        pdfUrl=work.pdfUrl,
        tldr=None if lean else work.tldr,
        isInfluential=work.isInfluential,
        citationIntents=list(work.citationIntents),
        ids=_ids(work),
        retractionStatus=work.retraction,
        provenance=_provenance(work),
        conflicts={name: dict(values) for name, values in work.conflicts.items()},
    )


def notes_for(
    failures: Sequence[ProviderFailure], unchecked: Sequence[str], unknown: dict[str, int]
) -> list[str]:
    """Return notes on what a list of papers may lack."""
    notes: list[str] = []
    if failures:
        names = ", ".join(f"{each.provider} ({each.kind})" for each in failures)
        notes.append(f"Not available: {names}; results may be incomplete.")
    if unchecked:
        notes.append(f"Retractions not checked: {', '.join(unchecked)}.")
    notes += [
        f"Left out because {name} cannot be judged from the record: {count}."
        for name, count in unknown.items()
    ]
    return notes


def _names(authors: Sequence[str]) -> list[str] | None:
    more = len(authors) - _MAX_AUTHORS
    shown = list(authors[:_MAX_AUTHORS])
    return [*shown, f"and {more} more"] if more > 0 else shown or None


def _ids(work: Work) -> dict[str, str]:
    """Return public identifiers; a provider's own ids only if there is no DOI."""
    return {
        name: value for name, value in work.ids.items() if name not in _PROVIDER_IDS or not work.doi
    }


def _provenance(work: Work) -> dict[str, list[str]] | None:
    if len(work.providers) < 2 and {*work.origins.values()} <= {work.source}:
        return None  # `source` is enough
    by_provider: dict[str, list[str]] = {}
    for name, provider in work.origins.items():
        if name in Paper.model_fields:
            by_provider.setdefault(provider, []).append(name)
    return by_provider or None
