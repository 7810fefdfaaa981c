"""EDGAR payloads: lists of filings in columns, and hits of the full-text search."""

from dataclasses import dataclass

from pydantic import AliasPath, Field
from pydantic.alias_generators import to_camel

from webquarry.models.periods import within
from webquarry.models.records import Filing
from webquarry.providers.provider import Wire

ARCHIVES = "https://www.sec.gov/Archives/edgar/data"


def document_url(cik: str, accession: str, document: str | None) -> str:
    """Return the URL of a document, or of the filing's index if its name is unknown."""
    folder = f"{ARCHIVES}/{int(cik)}/{accession.replace('-', '')}"
    return f"{folder}/{document}" if document else f"{folder}/{accession}-index.htm"


class FilingColumns(Wire):
    """Filings as the SEC lists them: one array for each property."""

    model_config = Wire.model_config | {"alias_generator": to_camel}

    accession_number: tuple[str, ...] = ()
    form: tuple[str | None, ...] = ()
    filing_date: tuple[str, ...] = ()
    report_date: tuple[str | None, ...] = ()
    primary_document: tuple[str | None, ...] = ()
    primary_doc_description: tuple[str | None, ...] = ()

    @dataclass(frozen=True)
    class Row:
        """One filing."""

        accession: str
        filed: str
        form: str | None
        period: str | None
        document: str | None
        description: str | None

        def to_filing(self, cik: str, company: str | None) -> Filing:
            return Filing(
                company=company,
                cik=cik,
                formType=self.form,
                filingDate=self.filed,
                periodOfReport=self.period,
                accession=self.accession,
                url=document_url(cik, self.accession, self.document) if cik else None,
                description=self.description,
                source="edgar",
            )

    def rows(self) -> "list[FilingColumns.Row]":
        """Return the filings; a property whose array is shorter is unknown for the rest."""
        return [
            FilingColumns.Row(
                accession=accession,
                filed=_at(self.filing_date, at) or "",
                form=_at(self.form, at),
                period=_at(self.report_date, at),
                document=_at(self.primary_document, at),
                description=_at(self.primary_doc_description, at),
            )
            for at, accession in enumerate(self.accession_number)
        ]


def _at(values: tuple[str | None, ...], at: int) -> str | None:
    return values[at] if at < len(values) else None


class _OlderPage(Wire):
    model_config = Wire.model_config | {"alias_generator": to_camel}

    name: str
    filing_from: str | None = None
    filing_to: str | None = None

    def overlaps(self, since: str | None, until: str | None) -> bool:
        return within(self.filing_to, since, None) and within(self.filing_from, None, until)


class FilerSubmissions(Wire):
    """A filer and its filings."""

    name: str | None = None
    recent: FilingColumns = Field(validation_alias=AliasPath("filings", "recent"))
    older: tuple[_OlderPage, ...] = Field(
        default=(), validation_alias=AliasPath("filings", "files")
    )


class _Source(Wire):
    ciks: tuple[str, ...] = ()
    display_names: tuple[str, ...] = ()
    form: str | None = None
    file_type: str | None = None
    file_date: str | None = None
    period_ending: str | None = None
    adsh: str
    xsl: str | None = None
    file_description: str | None = None


class _Hit(Wire):
    id: str = Field(alias="_id")
    source: _Source = Field(alias="_source")

    def to_filing(self) -> Filing:
        source = self.source
        cik = source.ciks[0] if source.ciks else None
        document = self.id.partition(":")[2]
        if source.xsl and document.endswith(".xml"):
            document = f"{source.xsl}/{document}"  # the rendered form
        return Filing(
            company=source.display_names[0].partition("  (")[0] if source.display_names else None,
            cik=cik,
            formType=source.form,
            filingDate=source.file_date,
            periodOfReport=source.period_ending,
            accession=source.adsh,
            url=document_url(cik, source.adsh, document) if cik else None,
            description=source.file_description or source.file_type,
            source="edgar",
        )


class FullTextHits(Wire):
    """Documents that contain the words."""

    hits: tuple[_Hit, ...] = Field(validation_alias=AliasPath("hits", "hits"))
    total: int = Field(default=0, validation_alias=AliasPath("hits", "total", "value"))
    relation: str = Field(default="eq", validation_alias=AliasPath("hits", "total", "relation"))
