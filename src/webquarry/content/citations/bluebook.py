"""Bluebook citations of US cases (rule 10)."""

import re
from dataclasses import dataclass
from datetime import date

# reporter patterns in order of preference: official and customary reporters first
_RANKS = (
    r"U\.S\.", r"S\. ?Ct\.", r"L\. ?Ed\.( ?2d)?",
    r"F\.( ?(2d|3d|4th))?", r"F\. ?App'x", r"F\. ?Supp\.( ?(2d|3d))?", r"F\.R\.D\.", r"B\.R\.",
    r"Fed\. ?Cl\.", r"T\.C\.",
    r"(A|P|S\.W|N\.E|N\.W|S\.E|So|N\.Y\.S|Cal\. ?Rptr)\.?( ?(2d|3d|4th))?",
)  # fmt: skip
_STATE_OFFICIAL = 2.5  # rank between the Supreme Court's reporters and all others
_DATABASES = re.compile(r"(WL|LEXIS)\b|U\.S\. LEXIS")
_CITATION = re.compile(
    r"(?P<volume>\d[\d-]*+)\s++(?P<reporter>\S(?:.*\S)?)\s++(?P<page>[\dA-Za-z][\w/-]*+)"
)
_SUPREME_COURT = re.compile(r"U\.S\.|S\. ?Ct\.|L\. ?Ed\.( ?2d)?")
# by number
SHORT_MONTHS = ("", "Jan.", "Feb.", "Mar.", "Apr.", "May", "June", "July", "Aug.", "Sept.", "Oct.",
                "Nov.", "Dec.")  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class CaseFacts:
    """The parts of a case citation."""

    name: str
    reports: tuple[str, ...] = ()  # parallel citations like "384 U.S. 436"
    court: str = ""  # in its cited form, e.g. "9th Cir."
    court_id: str = ""
    docket: str = ""
    decided: str = ""  # a day, a month or a year


def cite_case(case: CaseFacts) -> str:
    """Return the full citation by reporter, else by database, else by docket number."""
    best = min(case.reports, key=_rank, default="")
    match = _CITATION.fullmatch(best)
    if match and not _DATABASES.search(match["reporter"]):
        court = _court_for_reporter(case, match["reporter"])
        return f"{case.name}, {best}{_parenthetical(court, case.decided[:4])}"
    parts = (case.name, f"No. {case.docket}" if case.docket else "", best)
    body = ", ".join(filter(None, parts))
    return f"{body}{_parenthetical(_court_name(case), _long_date(case.decided))}"


def _rank(report: str) -> tuple[float, str]:
    match = _CITATION.fullmatch(report)
    if match is None:
        return (len(_RANKS) + 2, report)
    reporter = match["reporter"]
    if _DATABASES.search(reporter):
        return (len(_RANKS) + 1, report)
    ranks = (rank for rank, pattern in enumerate(_RANKS) if re.fullmatch(pattern, reporter))
    return (next(ranks, _STATE_OFFICIAL), report)


def _court_for_reporter(case: CaseFacts, reporter: str) -> str:
    """Return the court without what the reporter's name already says (rule 10.4)."""
    if _SUPREME_COURT.fullmatch(reporter):
        return ""
    court = _court_name(case)
    first, _, rest = court.partition(" ")
    named = reporter.startswith(first) and first not in {"", "F."}
    return rest if named else court


def _court_name(case: CaseFacts) -> str:
    return "U.S." if case.court_id == "scotus" else case.court


def _parenthetical(court: str, when: str) -> str:
    inside = " ".join(filter(None, (court, when)))
    return f" ({inside})" if inside else ""


def _long_date(decided: str) -> str:
    try:
        day = date.fromisoformat(decided)
    except ValueError:
        return decided[:4]
    return f"{SHORT_MONTHS[day.month]} {day.day}, {day.year}"
