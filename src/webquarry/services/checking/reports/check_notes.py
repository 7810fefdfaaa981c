"""The notes that a copy of a document gets: what to find in it, and what to write there."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from webquarry.models.document_check import DocumentCheck, DocumentPlace, Finding, SourceVerdict
from webquarry.models.model import Model
from webquarry.services.checking.reports.check_rows import CLASS_NAMES

_QUOTED = ("contradicted", "partly")


class DocumentNote(Model):
    """A note at one place of a document."""

    text: str  # the sentence, entry or marker
    place: DocumentPlace
    message: str
    is_finding: bool


def document_notes(check: DocumentCheck) -> tuple[DocumentNote, ...]:
    """Return the findings, and the claims that a reader should look at, in document order."""
    joined: defaultdict[tuple[int, int, str], list[DocumentNote]] = defaultdict(list)
    for note in (*map(_finding_note, check.findings), *_claim_notes(check)):
        joined[note.place.start, note.place.end, note.text].append(note)
    quotes = _quotes(check)
    return tuple(
        _joined(same, quotes.get((start, end), ""))
        for (start, end, _), same in sorted(joined.items())
    )


def _finding_note(finding: Finding) -> DocumentNote:
    message = f"{finding.kind.replace('_', ' ').capitalize()}. {finding.message}"
    return DocumentNote(text=finding.text, place=finding.place, message=message, is_finding=True)


def _claim_notes(check: DocumentCheck) -> Iterator[DocumentNote]:
    found = {finding.claim for finding in check.findings}
    for claim in check.claims:
        if claim.claimClass in ("partly", "could_not_check") and claim.number not in found:
            name = CLASS_NAMES[claim.claimClass].capitalize()
            message = f"{name}. {claim.reason or ''}".strip()
            yield DocumentNote(
                text=claim.claim, place=claim.place, message=message, is_finding=False
            )


def _quotes(check: DocumentCheck) -> dict[tuple[int, int], str]:
    """Return what the source says instead, by the place of the claim."""
    return {
        (claim.place.start, claim.place.end): _said(source)
        for claim in check.claims
        for source in claim.sources
        if source.quote and source.claimClass in _QUOTED
    }


def _said(source: SourceVerdict) -> str:
    link = source.anchor.url if source.anchor else source.url
    return f" The source says: “{source.quote}” {link or ''}".rstrip()


def _joined(same: Sequence[DocumentNote], quote: str) -> DocumentNote:
    """Return the notes at one place as one."""
    message = " ".join(dict.fromkeys(each.message for each in same)) + quote
    is_finding = any(each.is_finding for each in same)
    return same[0].model_copy(update={"message": message, "is_finding": is_finding})
