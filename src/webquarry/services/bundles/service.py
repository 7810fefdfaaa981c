"""Evidence bundles for callers: plan, write and verify them."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from webquarry.models.caller import Caller
from webquarry.models.evidence_bundle import BundleCheck, BundleSubject, ImportSummary
from webquarry.models.research import Anchor
from webquarry.reading.response_reader import ResponseReader
from webquarry.services.bundles.archive_import import ArchiveImport
from webquarry.services.bundles.bundle_plan import BundlePlan
from webquarry.services.bundles.bundle_sources import BundleSources
from webquarry.services.bundles.bundle_writing import BundleForm, BundleWriter
from webquarry.services.bundles.quote_check import check_bundle
from webquarry.services.bundles.stamp_check import StampCheck
from webquarry.services.bundles.time_stamping import TimeStamping
from webquarry.webarchive.signing import SigningKey
from webquarry.webarchive.time_stamp import roots_in

if TYPE_CHECKING:
    from cryptography.x509 import Certificate


@dataclass(frozen=True, kw_only=True)
class BundleService:
    """Makes bundles of what a caller has captured."""

    sources: BundleSources
    responses: ResponseReader
    importer: Callable[[], ArchiveImport]
    key: Callable[[], SigningKey]  # created when the first bundle is written
    stamping: TimeStamping | None = None
    roots: Callable[[], Sequence["Certificate"]] = tuple  # that vouch for time stamps
    clock: Callable[[], float] = time.time

    async def plan(
        self, subject: BundleSubject, subject_id: str, caller: Caller, *, everything: bool = False
    ) -> BundlePlan:
        """Return what a bundle of a session, crawl or check will contain."""
        return await self.sources.plan(subject, subject_id, caller, everything=everything)

    async def plan_quote(self, anchor: Anchor, caller: Caller) -> BundlePlan:
        """Return what the bundle of a quotation will contain."""
        return await self.sources.plan_quote(anchor, caller)

    async def write(self, plan: BundlePlan, file: BinaryIO, form: BundleForm = "wacz") -> None:
        """Write a bundle."""
        writer = BundleWriter(
            plan=plan,
            exchanges=self.sources.capturing.exchanges,
            parsers=self.sources.parsers,
            key=self.key(),
            now=self.clock(),
            stamping=self.stamping,
        )
        await writer.write(file, form)

    async def import_archive(self, path: Path, caller: Caller) -> ImportSummary:
        """Make the pages of an archive searchable, readable and quotable for a caller."""
        return await self.importer().run(path, caller)

    async def verify(self, path: Path, *, key: str = "", tsa: Path | None = None) -> BundleCheck:
        """Return what is wrong with a bundle.

        `key`: the fingerprint that must have signed it; `tsa`: a file with the certificates that
        vouch for time stamping authorities.
        """
        roots = roots_in(tsa) if tsa else None
        stamps = StampCheck(lambda: self.roots() if roots is None else roots)
        return await check_bundle(path, self.responses, stamps, key=key)
