"""Citations of US cases in Bluebook form (rule 10), from what a case database knows."""

import re
from dataclasses import dataclass
from datetime import date

# Official and customary reporters first; what is further down is cited only for want of better.
_RANKS = (
    r"U\.S\.", r"S\. ?Ct\.", r"L\. ?Ed\.( ?2d)?",
    r"F\.( ?(2d|3d|4th))?", r"F\. ?App'x", r"F\. ?Supp\.( ?(2d|3d))?", r"F\.R\.D\.", r"B\.R\.",
    r"Fed\. ?Cl\.", r"T\.C\.",
    r"(A|P|S\.W|N\.E|N\.W|S\.E|So|N\.Y\.S|Cal\. ?Rptr)\.?( ?(2d|3d|4th))?",
)  # fmt: skip
_STATE_OFFICIAL = 2.5  # between the Supreme Court's reporters and all others
_DATABASES = re.compile(r"(WL|LEXIS)\b|U\.S\. LEXIS")
_CITE = re.compile(r"(?P<volume>\d[\d-]*)\s+(?P<reporter>.+?)\s+(?P<page>[\dA-Za-z][\w/-]*)")
_SUPREME = re.compile(r"U\.S\.|S\. ?Ct\.|L\. ?Ed\.( ?2d)?")
_MONTHS = ("Jan.", "Feb.", "Mar.", "Apr.", "May", "June", "July", "Aug.", "Sept.", "Oct.", "Nov.",
           "Dec.")  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class CaseFacts:
    """What a citation is made of."""

    name: str
    reports: tuple[str, ...] = ()  # parallel citations like "384 U.S. 436"
    court: str = ""  # as courts are cited, e.g. "9th Cir."
    court_id: str = ""
    docket: str = ""
    decided: str = ""  # a day, a month or a year


def cite(case: CaseFacts) -> str:
    """Return the full citation: reporter if there is one, else database, else docket number."""
    best = min(case.reports, key=_rank, default="")
    found = _CITE.fullmatch(best)
    if found and not _DATABASES.search(found["reporter"]):
        return f"{case.name}, {best}{_closing(_court(case, found['reporter']), case.decided[:4])}"
    parts = [case.name, f"No. {case.docket}" if case.docket else "", best]
    body = ", ".join(part for part in parts if part)
    return f"{body}{_closing(_own_court(case), _spelled(case.decided))}"


def _rank(report: str) -> tuple[float, str]:
    found = _CITE.fullmatch(report)
    if found is None:
        return (len(_RANKS) + 2, report)
    reporter = found["reporter"]
    if _DATABASES.search(reporter):
        return (len(_RANKS) + 1, report)
    for rank, pattern in enumerate(_RANKS):
        if re.fullmatch(pattern, reporter):
            return (rank, report)
    return (_STATE_OFFICIAL, report)


def _court(case: CaseFacts, reporter: str) -> str:
    """Return what the reporter's name does not say about the court (rule 10.4)."""
    if _SUPREME.fullmatch(reporter):
        return ""
    court = _own_court(case)
    first, _, rest = court.partition(" ")
    named = reporter.startswith(first) and first not in {"", "F."}
    return rest if named else court


def _own_court(case: CaseFacts) -> str:
    return "U.S." if case.court_id == "scotus" else case.court


def _closing(court: str, when: str) -> str:
    inside = " ".join(part for part in (court, when) if part)
    return f" ({inside})" if inside else ""


def _spelled(decided: str) -> str:
    try:
        day = date.fromisoformat(decided)
    except ValueError:
        return decided[:4]
    return f"{_MONTHS[day.month - 1]} {day.day}, {day.year}"
