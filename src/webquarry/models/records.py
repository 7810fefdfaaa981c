"""Public records: queries and results."""

from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar, cast

from pydantic import WithJsonSchema, model_validator

from webquarry.models.model import Filled, Model
from webquarry.models.zero_results import TRUST, ZeroResultHints

T = TypeVar("T")
# text if the source has text, or if a number would lose digits
Number = int | float | str


@dataclass(frozen=True)
class RecordsFound(Generic[T]):
    """Records of a registry, and notes about the search."""

    items: tuple[T, ...] = ()
    notes: tuple[str, ...] = ()


class RecordsIn(Model):
    """Arguments of a tool; a blank string is the same as none."""

    @model_validator(mode="before")
    @classmethod
    def _drop_blanks(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        named = cast("dict[str, Any]", given)
        stripped = {k: v.strip() if isinstance(v, str) else v for k, v in named.items()}
        return {name: value for name, value in stripped.items() if value != ""}


class RecordsOut(Model):
    """The common fields of all searches of public records."""

    query: str | None = None
    resultCount: int
    provider: str
    # the same for all tools, so the schemas do not repeat it
    hints: Annotated[ZeroResultHints, WithJsonSchema({"type": "object"})] | None = None
    note: str | None = None
    trust: str = TRUST


class FilingQuery(Model):
    """A search for filings, or for facts in them. Dates are days, inclusive."""

    text: str | None = None  # a company, a CIK, or words to search in all filings
    ticker: str | None = None
    form: str | None = None
    since: str | None = None
    until: str | None = None
    facts: bool = False
    count: int = 5


class Filing(Model):
    """A filing of a company, or one fact from its filings."""

    company: str | None = None
    cik: str | None = None
    formType: str | None = None
    filingDate: str | None = None
    periodOfReport: Filled[str] = None
    accession: str | None = None
    url: str | None = None
    description: Filled[str] = None
    source: str
    concept: str | None = None
    unit: str | None = None
    value: Number | None = None
    periodStart: str | None = None  # of a fact that spans time; it ends at periodOfReport


class CaseQuery(Model):
    """A search for court opinions. Dates are days, inclusive."""

    text: str
    court: str | None = None
    since: str | None = None
    until: str | None = None
    count: int = 10


class Case(Model):
    """A decided case."""

    caseName: str
    citation: str | None = None
    court: str | None = None
    courtId: str | None = None
    dateFiled: str | None = None
    docketNumber: Filled[str] = None
    citationCount: int | None = None
    url: str | None = None
    source: str


class TrialQuery(Model):
    """A search for clinical studies."""

    text: str | None = None
    condition: str | None = None
    intervention: str | None = None
    sponsor: str | None = None
    status: str | None = None
    phase: str | None = None
    count: int = 10


class Trial(Model):
    """A registered clinical study."""

    nctId: str
    title: str | None = None
    status: str | None = None
    phases: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    interventions: tuple[str, ...] = ()
    sponsor: str | None = None
    startDate: str | None = None
    hasResults: bool | None = None
    url: str
    source: str
