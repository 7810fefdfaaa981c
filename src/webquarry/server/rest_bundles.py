"""Evidence bundles as files to download."""

import tempfile
from collections.abc import Generator, Mapping
from typing import Any, BinaryIO

from starlette.responses import StreamingResponse

from webquarry.models.caller import Caller
from webquarry.models.evidence_bundle import BundleSubject
from webquarry.server.rest_monitors import CHANGES
from webquarry.server.rest_operation import Operation
from webquarry.server.rest_operations import CHECK, SESSION
from webquarry.services.bundles.service import BundleService

WACZ = "application/wacz"
_CHUNK = 2**18


def bundle_subject(
    operation: Operation, path: Mapping[str, str]
) -> tuple[BundleSubject, str, dict[str, Any]]:
    """Return what the bundle is about, and a call of its tool that checks the access to it."""
    subject_id = path["id"]
    if operation.tool == SESSION:
        return "session", subject_id, {"sessionId": subject_id}
    if operation.tool == CHECK:
        return "check", subject_id, {"id": subject_id, "wait": False}
    if operation.tool == CHANGES:
        change = {"id": subject_id, "limit": 1}
        return "change", f"{subject_id}.{path['number']}", change
    return "crawl", subject_id, {"id": subject_id, "limit": 1}


async def bundle_file(
    bundles: BundleService, subject: BundleSubject, subject_id: str, caller: Caller
) -> StreamingResponse:
    """Return a bundle, written to a temporary file and sent from it piece by piece."""
    plan = await bundles.plan(subject, subject_id, caller)
    file: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115 - `_pieces` closes it
    try:
        await bundles.write(plan, file)
    except BaseException:
        file.close()
        raise
    size = file.tell()
    headers = {
        "Content-Disposition": f'attachment; filename="{subject}-{subject_id}.wacz"',
        "Content-Length": str(size),
    }
    return StreamingResponse(_pieces(file), media_type=WACZ, headers=headers)


def _pieces(file: BinaryIO) -> Generator[bytes]:
    with file:
        file.seek(0)
        while piece := file.read(_CHUNK):
            yield piece
