"""Makes the files that follow from the code: the packaged snapshot and the settings' documents.

`python -m webquarry.packaging --check` tells whether they are current, `--write` makes them so.
"""

import asyncio
import sys
import tempfile
from pathlib import Path

from webquarry.app import open_app
from webquarry.front.snapshot import PACKAGED
from webquarry.models.caller import Caller
from webquarry.providers import declared_variables
from webquarry.server.protocol import build_server
from webquarry.settings import document
from webquarry.settings.load import load
from webquarry.snapshots import Files, take_snapshot


async def packaged_snapshot() -> Files:
    """Return the files that belong into the package."""
    with tempfile.TemporaryDirectory() as scratch:
        # every toolset: the front picks from them; nothing else is set
        flags = {"TOOLSETS": "all", "WEBQUARRY_DATA_DIR": scratch}
        settings = load(
            environ={}, directory=Path(scratch), flags=flags, declared=declared_variables()
        )
        async with open_app(settings, "stdio") as app:
            server = build_server(app.offer, lambda _: Caller())
            return await take_snapshot(server, app.offer, settings)


def stale(files: Files) -> list[str]:
    """Return the names of packaged files that differ from what they should be."""
    home = Path(PACKAGED)
    there = {path.name: path.read_text(encoding="utf-8") for path in home.glob("*.json*")}
    return sorted(n for n in files.keys() | there.keys() if files.get(n) != there.get(n))


def main(arguments: list[str]) -> int:
    """Check or write the files; return the exit status."""
    documents = document.main(arguments, declared=declared_variables())
    return max(documents, _snapshot(arguments))


def _snapshot(arguments: list[str]) -> int:
    files = asyncio.run(packaged_snapshot())
    changed = stale(files)
    if arguments == ["--write"]:
        home = Path(PACKAGED)
        home.mkdir(exist_ok=True)
        for name in changed:
            if name in files:
                (home / name).write_text(files[name], encoding="utf-8")
            else:
                (home / name).unlink()
        return 0
    if changed:
        names = ", ".join(changed)
        sys.stderr.write(f"the packaged snapshot is stale ({names}): run `make generate`\n")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
