"""Headline figures from the XBRL facts of a company."""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any

from pydantic import Field

from webquarry.models.periods import within
from webquarry.models.records import Filing, FilingQuery, RecordsFound
from webquarry.providers._edgar_wire import document_url
from webquarry.providers.provider import Wire

# One row for each figure: the concepts it is filed under. The newest fact of a row is used.
_HEADLINES: tuple[tuple[str, ...], ...] = (
    ("Revenues", "RevenueFromContractWithCustomerExcludingAssessedTax",
     "RevenueFromContractWithCustomerIncludingAssessedTax", "SalesRevenueNet", "Revenue",
     "RevenuesNetOfInterestExpense"),
    ("NetIncomeLoss", "ProfitLoss", "NetIncomeLossAvailableToCommonStockholdersBasic"),
    ("EarningsPerShareDiluted", "DilutedEarningsLossPerShare", "EarningsPerShareBasicAndDiluted"),
    ("Assets",),
    ("StockholdersEquity", "Equity",
     "StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest"),
    ("Liabilities",),
    ("OperatingIncomeLoss", "ProfitLossFromOperatingActivities"),
    ("CashAndCashEquivalentsAtCarryingValue", "CashAndCashEquivalents",
     "CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents"),
    ("EarningsPerShareBasic", "BasicEarningsLossPerShare"),
    ("EntityCommonStockSharesOutstanding",),
)  # fmt: skip
_ANNUAL = ("10-K", "20-F", "40-F")
_MAX_AGE = 2  # years behind the newest figure


class _Fact(Wire):
    start: str | None = None
    end: str
    val: int | float
    accn: str | None = None
    form: str | None = None
    filed: str | None = None

    @property
    def rank(self) -> tuple[str, str, int]:
        """Order by period, then by filing; in one filing prefer the year, or else the quarter."""
        days = _days(self.start, self.end)
        return self.end, self.filed or "", days if (self.form or "").startswith(_ANNUAL) else -days


class _Concept(Wire):
    label: str | None = None
    units: dict[str, tuple[_Fact, ...]]


class CompanyFacts(Wire):
    """All facts of a company, by taxonomy and concept; a concept is parsed when it is needed."""

    entity: str | None = Field(default=None, alias="entityName")
    facts: dict[str, dict[str, Any]]

    def headlines(self, cik: str, query: FilingQuery) -> RecordsFound[Filing]:
        """Return the newest fact of each headline figure, exactly as filed."""
        found = list(self._newest(query))
        latest = max((_year(item[2].end) for item in found), default=0)
        current = [item for item in found if latest - _year(item[2].end) < _MAX_AGE]
        items = tuple(self._filing(cik, *item) for item in current)
        shown = items[: query.count]
        more = len(shown) < len(items)
        return RecordsFound(shown, (f"{len(shown)} of {len(items)} figures.",) if more else ())

    def _newest(self, query: FilingQuery) -> Iterator[tuple[str, str, _Fact, str | None]]:
        for names in _HEADLINES:
            facts = [fact for name in names for fact in self._facts_of(name, query)]
            if facts:
                # the first concept wins among equals
                yield max(reversed(facts), key=lambda item: item[2].rank)

    def _facts_of(
        self, name: str, query: FilingQuery
    ) -> Iterable[tuple[str, str, _Fact, str | None]]:
        for taxonomy in self.facts.values():
            if name not in taxonomy:
                continue
            concept = _Concept.model_validate(taxonomy[name])
            for unit, facts in concept.units.items():
                for fact in facts:
                    if _fits(fact, query):
                        yield name, unit, fact, concept.label

    def _filing(self, cik: str, name: str, unit: str, fact: _Fact, label: str | None) -> Filing:
        return Filing(
            company=self.entity,
            cik=cik,
            formType=fact.form,
            filingDate=fact.filed,
            periodOfReport=fact.end,
            accession=fact.accn,
            url=document_url(cik, fact.accn, None) if fact.accn else None,
            description=label,
            source="edgar",
            concept=name,
            unit=unit,
            value=fact.val,
            periodStart=fact.start,
        )


def _fits(fact: _Fact, query: FilingQuery) -> bool:
    form = query.form is None or (fact.form or "").upper() == query.form.upper()
    return form and within(fact.filed, query.since, query.until)


def _year(day: str) -> int:
    return int(day[:4]) if day[:4].isdecimal() else 0


def _days(start: str | None, end: str) -> int:
    if start is None:
        return 0
    try:
        return (date.fromisoformat(end) - date.fromisoformat(start)).days
    except ValueError:
        return 0
