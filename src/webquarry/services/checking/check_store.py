"""Stores checks for their owners: the job, its document and its records, which survive a kill."""

import secrets
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass

from webquarry.content.text.timestamps import to_rfc3339
from webquarry.errors import NotFoundError
from webquarry.models.caller import Caller
from webquarry.models.document_check import CheckOptions, CheckProgress, CheckState, CheckStatus
from webquarry.models.model import Model
from webquarry.services.checking.check_records import (
    CheckRecords,
    ReferenceRecord,
    SourceRecord,
    decode_records,
    encode_record,
)
from webquarry.storage.key_names import name_of, parts_of
from webquarry.storage.store import Store

KIND = "check"
_JOB, _DOCUMENT, _RECORDS, _LEASE, _WORKED = "job", "document", "records", "lease", "worked"
_TTL = 7 * 86_400.0
LEASE_SECONDS = 10.0  # after which another process may go on with a check


class CheckJob(Model):
    """A check, as it was requested."""

    id: str
    tenant: str
    user: str
    state: CheckState = "running"
    name: str  # of the document
    media_type: str | None = None
    bibliography: str | None = None
    digest: str  # of the document
    options: CheckOptions
    created: float
    ended: float | None = None
    error: str | None = None
    findings: int | None = None  # when it ended
    work_left: bool = True  # False: going on would find nothing more
    capture: bool = False  # keep the exchanges for an evidence bundle

    @property
    def caller(self) -> Caller:
        """The owner, as whom the work is done."""
        return Caller(tenant=self.tenant, user=self.user)

    def status(self, progress: CheckProgress | None = None) -> CheckStatus:
        """Return the state of the check, without what it found."""
        return CheckStatus(
            checkId=self.id,
            status=self.state,
            document=self.name or "document",
            startedAt=to_rfc3339(self.created, self.created) or "",
            endedAt=to_rfc3339(self.ended, self.ended or 0),
            findings=self.findings,
            canResume=self.state != "running" and self.work_left,
            progress=progress,
            error=self.error,
        )


@dataclass(frozen=True)
class CheckStore:
    """Checks in the store; `token` names this process in leases."""

    store: Store
    token: str

    async def create(self, job: CheckJob, document: bytes) -> None:
        """Store a new check; the document first, so that no job lacks its own."""
        await self.store.set(_key(job, _DOCUMENT), document, ttl=_TTL)
        await self.save(job)

    async def save(self, job: CheckJob) -> None:
        """Store the state of a check."""
        await self.store.set(_key(job, _JOB), job.model_dump_json().encode(), ttl=_TTL)

    async def get(self, job_id: str, caller: Caller) -> CheckJob:
        """Return a check of the caller."""
        for user in caller.users:
            entry = await self.store.get(name_of(KIND, caller.tenant, user, job_id, _JOB))
            if entry:
                return CheckJob.model_validate_json(entry.value)
        raise NotFoundError(f"There is no check {job_id}; it may have expired.")

    async def document(self, job: CheckJob) -> bytes:
        """Return the document of a check."""
        entry = await self.store.get(_key(job, _DOCUMENT))
        if entry is None:
            raise NotFoundError(f"The document of the check {job.id} has expired.")
        return entry.value

    async def append(self, job: CheckJob, record: ReferenceRecord | SourceRecord) -> None:
        """Store one record."""
        await self.store.append(_key(job, _RECORDS), encode_record(record), ttl=_TTL)

    async def records(self, job: CheckJob) -> CheckRecords:
        """Return what was found so far."""
        return decode_records(await self.store.entries(_key(job, _RECORDS)) or ())

    async def worked(self, job: CheckJob) -> float:
        """Return for how many seconds processes have worked on a check."""
        entry = await self.store.get(_key(job, _WORKED))
        return float(entry.value) if entry else 0.0

    async def save_worked(self, job: CheckJob, seconds: float) -> None:
        """Store for how long a check was worked on, so that a restart gets only the rest."""
        await self.store.set(_key(job, _WORKED), f"{seconds:.3f}".encode(), ttl=_TTL)

    async def jobs(self, caller: Caller | None = None) -> list[CheckJob]:
        """Return the checks of a caller, or of all, the newest first."""
        found = [job async for job in self._scan(caller)]
        return sorted(found, key=lambda job: -job.created)

    async def _scan(self, caller: Caller | None) -> AsyncIterator[CheckJob]:
        prefix = name_of(KIND, caller.tenant, caller.user, "") if caller else f"{KIND}:"
        async for key in self.store.scan(prefix):
            if parts_of(key)[-1] == _JOB and (entry := await self.store.get(key)):
                yield CheckJob.model_validate_json(entry.value)

    async def lease(self, job: CheckJob) -> bool:
        """Take or renew the right to work on a check; False if another process has it."""
        key = _key(job, _LEASE)
        async with self.store.lock(key, ttl=LEASE_SECONDS, wait=LEASE_SECONDS):
            held = await self.store.get(key)
            if held is not None and held.value.decode() != self.token:
                return False
            await self.store.set(key, self.token.encode(), ttl=LEASE_SECONDS)
            return True

    async def release(self, job: CheckJob) -> None:
        """Give the right to work on a check back, unless another process has taken it."""
        key = _key(job, _LEASE)
        held = await self.store.get(key)
        if held is not None and held.value.decode() == self.token:
            await self.store.delete(key)


def new_job(
    caller: Caller, name: str, digest: str, options: CheckOptions, media_type: str | None
) -> CheckJob:
    """Return a new check."""
    return CheckJob(
        id=_new_id(),
        tenant=caller.tenant,
        user=caller.user,
        name=name,
        media_type=media_type,
        digest=digest,
        options=options,
        created=time.time(),
    )


def _key(job: CheckJob, part: str) -> str:
    return name_of(KIND, job.tenant, job.user, job.id, part)


def _new_id() -> str:
    """Return a random id that no command line takes for an option."""
    while (name := secrets.token_urlsafe(16)).startswith("-"):
        pass
    return name
