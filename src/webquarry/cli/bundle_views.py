"""What `webquarry bundle` prints."""

from pathlib import Path
from typing import TYPE_CHECKING

from webquarry.cli.output import Note, Part, grid, plural

if TYPE_CHECKING:
    from webquarry.models.evidence_bundle import (
        BundleCheck,
        BundleSummary,
        BundleTimestamp,
        ImportSummary,
    )

_VERDICTS = {
    "intact": "Intact: every byte is as it was signed, and every quotation is in its source.",
    "altered": "NOT INTACT.",
    "incomplete": "Unaltered, but some quotations could not be looked up.",
    "unsigned": "Nobody's signature: the hashes in the file fit, but anyone may have written it.",
}
_QUOTE_STATUS = {
    "found": "found",
    "not_in_capture": "NOT IN THE SOURCE",
    "no_capture": "not captured",
    "unreadable": "unreadable",
}


def summary_view(summary: "BundleSummary") -> list[Part]:
    """Return what the bundle carries, before it is written."""
    parts: list[Part] = [
        Note(
            f"{summary.title}: {plural(summary.exchanges, 'captured exchange')}, "
            f"{summary.bytes:,} bytes, {plural(summary.quotes, 'quotation')}."
        ),
        Note("Whoever gets this file gets:", warning=True),
        *(Note(f"- {sentence}") for sentence in summary.personalData),
        Note("Cookies and authorization headers were never captured."),
    ]
    if missing := summary.notCaptured:
        parts.append(Note(f"{plural(len(missing), 'source')} without a capture:", warning=True))
        parts += [Note(f"- {url}") for url in missing]
    return parts


def check_view(result: "BundleCheck") -> list[Part]:
    """Return the verdict on a bundle, and what is wrong with it."""
    parts: list[Part] = [Note(_VERDICTS[result.verdict], warning=result.verdict != "intact")]
    if signed := result.signature:
        validity = "valid" if signed.valid else "NOT VALID"
        parts.append(Note(f"Signature: {validity}, key {signed.fingerprint}, {signed.created}."))
    if stamp := result.timestamp:
        parts.append(_stamp_view(stamp))
    parts.append(
        Note(f"{plural(result.records, 'record')}, {plural(result.pages, 'page')} checked.")
    )
    parts += [Note(f"{each.where}: {each.what}", warning=True) for each in result.problems]
    for each in result.quotes:
        at = f", captured {each.capturedAt}" if each.capturedAt else ""
        why = f" ({each.reason})" if each.reason else ""
        shown = each.quote if len(each.quote) <= 80 else f"{each.quote[:79]}…"
        line = f"{_QUOTE_STATUS[each.status]}: “{shown}” {each.url}{at}{why}"
        parts.append(Note(line, warning=each.status != "found"))
    parts += [Note(f"Not captured: {url}") for url in result.notCaptured]
    return [*parts, *(Note(note) for note in result.notes)]


def _stamp_view(stamp: "BundleTimestamp") -> Part:
    said = f"{stamp.authority or stamp.url} says that it existed at {stamp.time}"
    if stamp.status == "valid":
        return Note(f"Time stamp: {said}.")
    if stamp.status == "invalid":
        return Note(f"Time stamp: NOT VALID, {stamp.reason}.", warning=True)
    return Note(f"Time stamp, NOT VERIFIED: {said}; {stamp.reason} (--tsa).", warning=True)


def import_view(result: "ImportSummary", file: Path) -> list[Part]:
    """Return the pages that were imported."""
    rows = [(page.capturedAt, page.title, page.url) for page in result.imported]
    parts: list[Part] = [grid(("captured", "title", "URL"), rows)] if rows else []
    parts.append(Note(f"Imported {plural(result.pages, 'page')} of {result.file}."))
    parts += [Note(f"Not readable: {failure}", warning=True) for failure in result.failures]
    if result.damage:
        parts.append(Note(f"Damaged: {result.damage}", warning=True))
    if rows:
        parts.append(Note("Search them: webquarry index search QUERY"))
        parts.append(Note(f"Read one: webquarry --offline {file} read URL"))
    return parts
