"""Checks the time stamp of a bundle."""

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from webquarry.models.evidence_bundle import BundleProblem, BundleTimestamp
from webquarry.services.bundles.bundle_check import IntegrityCheck
from webquarry.services.bundles.bundle_writing import DIGEST
from webquarry.webarchive.signing import canonical
from webquarry.webarchive.time_stamp import ReadStamp, read_stamp

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

_OUTSIDE = ("signature", "timestamp")  # of the statement that was stamped


@dataclass(frozen=True)
class StampCheck:
    """Compares the time stamp with the signed statement."""

    roots: Callable[[], Sequence["Certificate"]]  # that vouch for authorities

    def run(self, integrity: IntegrityCheck) -> BundleTimestamp | None:
        """Return what the stamp says; one that does not fit is a problem of the bundle."""
        statement = integrity.statement or {}
        if "timestamp" not in statement:
            return None
        given = statement["timestamp"]
        stamp: Mapping[str, Any] = {}
        if isinstance(given, Mapping):
            stamp = cast("Mapping[str, Any]", given)
        found = self._read(stamp, statement)
        if found.status == "invalid":
            what = f"the time stamp does not fit: {found.reason}"
            integrity.problems.append(BundleProblem(where=DIGEST, what=what))
        return BundleTimestamp(
            status=found.status,
            time=found.time,
            authority=found.authority,
            url=str(stamp.get("url", "")),
            reason=found.reason or None,
        )

    def _read(self, stamp: Mapping[str, Any], statement: Mapping[str, Any]) -> ReadStamp:
        stamped = {name: value for name, value in statement.items() if name not in _OUTSIDE}
        try:
            response = base64.b64decode(str(stamp.get("response", "")), validate=True)
        except ValueError:
            return ReadStamp("invalid", "it is not in base64")
        return read_stamp(response, canonical(stamped), self.roots())
