"""The stdio server does not load the libraries for tokens and API keys."""

import subprocess
import sys
from pathlib import Path

from tests.server.processes import environment

PROGRAM = """
import sys
from webquarry.front.fast_sdk_import import import_server_parts
import_server_parts()
import webquarry.server.stdio_transport, webquarry.serving
print(sorted({name.partition(".")[0] for name in sys.modules} & {"jwt", "cryptography", "redis"}))
print(sorted(name for name in sys.modules if name.startswith("webquarry.auth.")))
"""


def test_a_stdio_server_loads_no_token_library(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True,
        env=environment(tmp_path),
    )  # fmt: skip

    assert done.stdout.splitlines() == ["[]", "['webquarry.auth.scopes']"]
