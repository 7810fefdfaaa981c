"""What a query about filings says: the company, the form and the year."""

import re
from dataclasses import dataclass

from webquarry.models.records import FilingQuery

# how people call a form; the first match counts
_NAMES = (
    (re.compile(r"\bannual reports?\b", re.IGNORECASE), "10-K"),
    (re.compile(r"\bquarterly reports?\b", re.IGNORECASE), "10-Q"),
    (re.compile(r"\bcurrent reports?\b", re.IGNORECASE), "8-K"),
    (re.compile(r"\bproxy statements?\b", re.IGNORECASE), "DEF 14A"),
    (re.compile(r"\binsider (?:trades?|transactions?)\b", re.IGNORECASE), "4"),
)
_CODE = re.compile(
    r"\b(?:form\s+)?(10[\s-]?[KQ]|8[\s-]?K|20[\s-]?F|40[\s-]?F|6[\s-]?K|11[\s-]?K|S[\s-]?[134]|F[\s-]1"
    r"|DEF[\s-]?14A|13[\s-]?F(?:[\s-]?HR)?|SC[\s-]?13[DG])(/A)?(?![\w-])",
    re.IGNORECASE,
)
_FORM_NUMBER = re.compile(r"\bform\s+([345]|144)\b", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:FY\s?)?((?:19|20)\d\d)\b", re.IGNORECASE)
_FAMILIES = {"DEF14A": "DEF 14A", "13F": "13F-HR", "13FHR": "13F-HR", "SC13D": "SC 13D",
             "SC13G": "SC 13G"}  # fmt: skip
_ANNUAL = frozenset({"10-K", "20-F", "40-F"})


@dataclass(frozen=True)
class UnderstoodQuery:
    """The words that may name a company, and what the others say."""

    company: str
    form: str | None = None
    year: int | None = None


def understand(text: str) -> UnderstoodQuery:
    """Divide a query like `Apple annual report 2023` into its parts."""
    form: str | None = None
    for pattern, name in _NAMES:
        if form is None and pattern.search(text):
            form, text = name, pattern.sub(" ", text)
    for pattern in (_CODE, _FORM_NUMBER):
        if form is None and (match := pattern.search(text)):
            form = canonical_form(match[0].lower().removeprefix("form"))
            text = f"{text[: match.start()]} {text[match.end() :]}"
    year = _YEAR.search(text)
    if year:
        text = f"{text[: year.start()]} {text[year.end() :]}"
    return UnderstoodQuery(" ".join(text.split()), form, int(year[1]) if year else None)


def canonical_form(text: str) -> str:
    """Return a form as the SEC writes it: `10k` is 10-K, `def14a` is DEF 14A."""
    amended = text.strip().upper().endswith("/A")
    code = re.sub(r"[\s-]+", "", text.strip().upper().removesuffix("/A"))
    if code in _FAMILIES:
        form = _FAMILIES[code]
    elif match := re.fullmatch(r"(\d{1,2}|[SFN])([A-Z]|\d{1,2})", code):
        form = code if code.isdigit() else f"{match[1]}-{match[2]}"
    else:
        form = text.strip().upper().removesuffix("/A")
    return f"{form}/A" if amended else form


def with_parts(query: FilingQuery, found: UnderstoodQuery) -> FilingQuery:
    """Return the query with form and dates of its text, unless they are given."""
    form = query.form or found.form
    changes: dict[str, str | None] = {"form": form}
    if found.year and not (query.since or query.until):
        # the report on a year is often filed in the next one
        annual = form is not None and form.removesuffix("/A") in _ANNUAL
        changes["since"] = f"{found.year}-01-01"
        changes["until"] = f"{found.year + 1}-06-30" if annual else f"{found.year}-12-31"
    return query.model_copy(update=changes)


def parts_note(given: FilingQuery, query: FilingQuery) -> tuple[str, ...]:
    """Return a note on form and dates that were read from the text."""
    form = f"form {query.form}" if query.form != given.form else ""
    dates = f"filed {query.since} to {query.until}" if query.since != given.since else ""
    read = ", ".join(filter(None, (form, dates)))
    return (f"Read as {read}.",) if read else ()
