"""Which company a ticker, a number or a name means."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from webquarry.providers.provider import Wire

_NUMBER = re.compile(r"(?:CIK)?\s*0*(\d{1,10})", re.IGNORECASE)
_WORD = re.compile(r"[a-z0-9]+")
# words of a legal form, and of a question about filings, name no company
_FORMS = frozenset({
    "inc", "corp", "corporation", "co", "company", "companies", "ltd", "limited", "plc", "llc",
    "lp", "sa", "nv", "ag", "se", "spa", "ab", "asa", "oyj", "the", "de", "new", "com", "group",
    "holdings", "holding", "trust",
})  # fmt: skip
_NOTHING: frozenset[str] = frozenset()
_QUESTION = _FORMS | {
    "annual", "quarterly", "report", "reports", "filing", "filings", "latest", "recent", "proxy",
    "statement", "statements", "earnings", "financial", "financials", "sec", "edgar", "10", "k",
    "10k", "q", "10q", "8", "8k", "s", "1", "s1", "def", "14a", "of", "for",
}  # fmt: skip
_SHOWN = 3
_SHORT = 3  # letters that say too little to guess a name from


class _Entry(Wire):
    cik_str: int
    ticker: str
    title: str


@dataclass(frozen=True)
class Company:
    """A filer by the number the SEC gave it."""

    cik: str
    name: str | None = None


class Companies:
    """The companies with a ticker, largest first as the SEC lists them."""

    wire: ClassVar = dict[str, _Entry]

    def __init__(self, entries: list[tuple[str, str, str]]) -> None:
        self._entries = entries

    @staticmethod
    def pack(listed: Mapping[str, _Entry]) -> bytes:
        """Return the list as bytes to keep."""
        rows = [[f"{e.cik_str:010d}", e.ticker.upper(), e.title] for e in listed.values()]
        return json.dumps(rows).encode()

    @classmethod
    def read(cls, packed: bytes) -> "Companies":
        """Return the list that was kept."""
        return cls([(cik, ticker, title) for cik, ticker, title in json.loads(packed)])

    @staticmethod
    def by_number(text: str) -> Company | None:
        """Return the company when the text is a CIK."""
        found = _NUMBER.fullmatch(text)
        return Company(found[1].zfill(10)) if found else None

    def by_ticker(self, text: str) -> Company | None:
        """Return the company with that ticker; BRK.B and BRK-B are the same."""
        wanted = text.upper().replace(".", "-")
        for cik, ticker, title in self._entries:
            if ticker.replace(".", "-") == wanted:
                return Company(cik, title)
        return None

    def by_words(self, text: str) -> tuple[Company | None, tuple[str, ...]]:
        """Return the company that a query names, and what to say about how it was read."""
        if text.startswith('"'):
            return None, ()  # quoted words are to be found in documents
        if found := self.by_ticker(text):
            return found, (_read_as(found),)
        # as it stands first: legal forms tell Rio Tinto plc from Ltd, and words of a question
        # may belong to a name, as in S&P Global
        for noise, dropped in ((_NOTHING, _NOTHING), (_FORMS, _FORMS), (_QUESTION, _FORMS)):
            wanted = _core(text, noise)
            for cik, _, title in self._entries:
                if wanted and _core(title, dropped) == wanted:
                    return Company(cik, title), (_read_as(Company(cik, title)),)
        alike = [(_core(title, _FORMS), Company(cik, title)) for cik, _, title in self._entries]
        return _by_beginning(_core(text, _QUESTION), alike)


def _by_beginning(
    wanted: tuple[str, ...], alike: list[tuple[tuple[str, ...], Company]]
) -> tuple[Company | None, tuple[str, ...]]:
    """Return the only company whose name starts like that; of several, only say their names."""
    if len("".join(wanted)) <= _SHORT:
        return None, ()
    longer = {company.cik: company for core, company in alike if core[: len(wanted)] == wanted}
    found = list(longer.values())
    if len(found) == 1:
        return found[0], (_read_as(found[0]),)
    return None, _candidates(found)


def _read_as(company: Company) -> str:
    return f"Read as {company.name} (CIK {company.cik}); quote the query to search all filings."


def _candidates(companies: list[Company]) -> tuple[str, ...]:
    if not companies:
        return ()
    names = ", ".join(f"{c.name} (CIK {c.cik})" for c in companies[:_SHOWN])
    return (f"Searched the full text; companies of that name: {names}.",)


def _core(text: str, noise: frozenset[str]) -> tuple[str, ...]:
    words = _WORD.findall(text.lower().replace("'", "").replace("&", " "))
    return tuple(word for word in words if word not in noise)
