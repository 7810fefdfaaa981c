"""Notices about works in words."""

from webquarry.content.citations.identifiers import doi_url
from webquarry.models.retraction import NoticeKind, RetractionStatus

_TEXTS: dict[NoticeKind, str] = {
    "retraction": "The work was retracted",
    "expression_of_concern": "The journal published an expression of concern about the work",
    "correction": "A correction of the work was published",
}
_DAY = len("2026-01-01")  # a shorter date is a year or a month


def notice_sentence(notice: RetractionStatus) -> str:
    """Return what happened, when, and where the notice is."""
    date = notice.date or ""
    when = f" on {date[:10]}" if len(date) >= _DAY else f" in {date}" if date else ""
    where = f" Notice: {doi_url(notice.noticeDoi)}" if notice.noticeDoi else ""
    return f"{_TEXTS[notice.kind]}{when}.{where}"
