"""What a check has found so far: one record for each reference and each source, as stored."""

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from webquarry.models.document_check import ModelUse, SourceRead, SourceVerdict
from webquarry.models.model import Model
from webquarry.services.trust.bibliography_audit import ReferenceAudit


class ReferenceRecord(Model):
    """The audit of one reference."""

    kind: Literal["reference"] = "reference"
    id: str
    audit: ReferenceAudit


class SourceRecord(Model):
    """What one source says about the claims that cite it."""

    kind: Literal["source"] = "source"
    id: str  # of the reference
    read: SourceRead
    verdicts: dict[int, SourceVerdict]  # by the number of the claim
    model_use: ModelUse | None = None


CheckRecord = Annotated[ReferenceRecord | SourceRecord, Field(discriminator="kind")]
_RECORD: TypeAdapter[ReferenceRecord | SourceRecord] = TypeAdapter(CheckRecord)


class CheckRecords:
    """The records of one check."""

    def __init__(self, records: Iterable[ReferenceRecord | SourceRecord] = ()) -> None:
        self.audits: dict[str, ReferenceAudit] = {}
        self.sources: dict[str, SourceRecord] = {}
        for record in records:
            self.add(record)

    @property
    def model_use(self) -> ModelUse | None:
        """What was asked of a language model; None if nothing was."""
        uses = [each.model_use for each in self.sources.values() if each.model_use]
        return sum(uses, ModelUse()) if uses else None

    def add(self, record: ReferenceRecord | SourceRecord) -> None:
        """Add a record; of a repeated one, the first counts."""
        if isinstance(record, ReferenceRecord):
            self.audits.setdefault(record.id, record.audit)
        else:
            self.sources.setdefault(record.id, record)


def decode_records(entries: Iterable[bytes]) -> CheckRecords:
    """Return stored records."""
    return CheckRecords(_RECORD.validate_json(entry) for entry in entries)


def encode_record(record: ReferenceRecord | SourceRecord) -> bytes:
    """Return a record as it is stored."""
    return _RECORD.dump_json(record)
