"""EDGAR companies by ticker, CIK or name."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from webquarry.providers.provider import Wire

_CIK = re.compile(r"(?:CIK)?\s*0*(\d{1,10})", re.IGNORECASE)
_WORD = re.compile(r"[a-z0-9]+")
# legal forms, and words of a query about filings, do not identify a company
_LEGAL_FORMS = frozenset({
    "inc", "corp", "corporation", "co", "company", "companies", "ltd", "limited", "plc", "llc",
    "lp", "sa", "nv", "ag", "se", "spa", "ab", "asa", "oyj", "the", "de", "new", "com", "group",
    "holdings", "holding", "trust",
})  # fmt: skip
_NO_WORDS: frozenset[str] = frozenset()
_QUERY_WORDS = _LEGAL_FORMS | {
    "annual", "quarterly", "report", "reports", "filing", "filings", "latest", "recent", "proxy",
    "statement", "statements", "earnings", "financial", "financials", "sec", "edgar", "10", "k",
    "10k", "q", "10q", "8", "8k", "s", "1", "s1", "def", "14a", "of", "for",
}  # fmt: skip
_MAX_CANDIDATES = 3
_TOO_SHORT = 3  # letters, too few to guess a name


class _Entry(Wire):
    cik_str: int
    ticker: str
    title: str


@dataclass(frozen=True)
class EdgarCompany:
    """A filer and its CIK, the number the SEC gave it."""

    cik: str
    name: str | None = None


class EdgarCompanies:
    """The companies with a ticker, largest first as the SEC lists them."""

    wire: ClassVar = dict[str, _Entry]

    def __init__(self, entries: list[tuple[str, str, str]]) -> None:
        self._entries = entries

    @staticmethod
    def pack(listed: Mapping[str, _Entry]) -> bytes:
        """Return the list as bytes for the cache."""
        rows = [[f"{e.cik_str:010d}", e.ticker.upper(), e.title] for e in listed.values()]
        return json.dumps(rows).encode()

    @classmethod
    def unpack(cls, packed: bytes) -> "EdgarCompanies":
        """Return the list from its cached bytes."""
        return cls([(cik, ticker, title) for cik, ticker, title in json.loads(packed)])

    @staticmethod
    def by_cik(text: str) -> EdgarCompany | None:
        """Return the company when the text is a CIK."""
        match = _CIK.fullmatch(text)
        return EdgarCompany(match[1].zfill(10)) if match else None

    def by_ticker(self, text: str) -> EdgarCompany | None:
        """Return the company with that ticker; BRK.B and BRK-B are the same."""
        symbol = text.upper().replace(".", "-")
        for cik, ticker, title in self._entries:
            if ticker.replace(".", "-") == symbol:
                return EdgarCompany(cik, title)
        return None

    def by_query(self, text: str) -> tuple[EdgarCompany | None, tuple[str, ...]]:
        """Return the company that a query names, and a note on how the query was interpreted."""
        if text.startswith('"'):
            return None, ()  # quoted words are searched in documents
        if found := self.by_ticker(text):
            return found, (_interpretation(found),)
        # unchanged first: legal forms distinguish Rio Tinto plc from Ltd, and query words may
        # belong to a name, as in S&P Global
        for from_query, from_name in (
            (_NO_WORDS, _NO_WORDS),
            (_LEGAL_FORMS, _LEGAL_FORMS),
            (_QUERY_WORDS, _LEGAL_FORMS),
        ):
            wanted = _without(text, from_query)
            for cik, _, title in self._entries:
                if wanted and _without(title, from_name) == wanted:
                    return EdgarCompany(cik, title), (_interpretation(EdgarCompany(cik, title)),)
        names = [
            (_without(title, _LEGAL_FORMS), EdgarCompany(cik, title))
            for cik, _, title in self._entries
        ]
        return _by_prefix(_without(text, _QUERY_WORDS), names)


def _by_prefix(
    prefix: tuple[str, ...], names: list[tuple[tuple[str, ...], EdgarCompany]]
) -> tuple[EdgarCompany | None, tuple[str, ...]]:
    """Return the only company whose name starts with these words; of several, only a note."""
    if len("".join(prefix)) <= _TOO_SHORT:
        return None, ()
    matches = {c.cik: c for words, c in names if words[: len(prefix)] == prefix}
    found = list(matches.values())
    if len(found) == 1:
        return found[0], (_interpretation(found[0]),)
    return None, _candidates(found)


def _interpretation(company: EdgarCompany) -> str:
    return f"Read as {company.name} (CIK {company.cik}); quote the query to search all filings."


def _candidates(companies: list[EdgarCompany]) -> tuple[str, ...]:
    if not companies:
        return ()
    names = ", ".join(f"{c.name} (CIK {c.cik})" for c in companies[:_MAX_CANDIDATES])
    return (f"Searched the full text; companies of that name: {names}.",)


def _without(text: str, dropped: frozenset[str]) -> tuple[str, ...]:
    words = _WORD.findall(text.lower().replace("'", "").replace("&", " "))
    return tuple(word for word in words if word not in dropped)
