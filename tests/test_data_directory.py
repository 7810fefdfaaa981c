"""A data directory written by an older version still opens."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

ARCHIVE = Path(__file__).parent / "data_directories" / "0.1.0.zip"  # written by that version


def _webquarry(data: Path, *arguments: str) -> Any:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(data),
        "WEBQUARRY_DATA_DIR": str(data),
        "STDIO_USER_ID": "ann",
    }
    done = subprocess.run(
        [sys.executable, "-m", "webquarry", *arguments, "--json"],
        env=environment, cwd=data, capture_output=True, check=True, timeout=60,
    )  # fmt: skip
    return json.loads(done.stdout)


def test_keys_and_indexed_pages_of_an_older_version_are_found(tmp_path: Path) -> None:
    with zipfile.ZipFile(ARCHIVE) as archive:
        archive.extractall(tmp_path)
    (tmp_path / "store.key").chmod(0o600)

    keys = _webquarry(tmp_path, "keys", "list")
    pages = _webquarry(tmp_path, "index", "search", "owls")

    assert [(key["id"], key["tenant"], key["user"]) for key in keys] == [
        ("abe8ea51dc3e08a7", "acme", "ann")
    ]
    assert [page["url"] for page in pages["results"]] == ["http://127.0.0.1:8765/p1.html"]
