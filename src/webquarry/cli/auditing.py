"""Checks the audit trail."""

from pathlib import Path

from webquarry.errors import BadInputError
from webquarry.observe.chain import verify
from webquarry.observe.rotation import older_files
from webquarry.serving import read_settings
from webquarry.wiring.storing import storage_keys


def verify_trail(path: Path | None) -> tuple[str, bool]:
    """Return a sentence about the trail, and whether all of it is as it was written."""
    settings = read_settings({})
    path = path or settings.audit.output_path
    if path is None:
        raise BadInputError("Name the file, or set AUDIT_OUTPUT_PATH: there is no audit trail.")
    older = older_files(path)
    found = verify(path, storage_keys(settings).current, older=older)
    where = path.name if not older else f"{path.name} and {len(older)} older files"
    if found.ok:
        return f"{where}: every line is as it was written, and none is missing.", True
    line = f" (line {found.bad_line})" if found.bad_line else ""
    return f"{where}: {found.problem}{line}.", False
