"""Fuzzing the REST interface: responses match the OpenAPI document and are never 5xx."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.server.http_server import http_server
from tests.server.loopback_site import loopback_site, settings_for
from webquarry.server.rest_operations import OPERATIONS

EXAMPLES = 20  # random requests of each operation
SECONDS = 600  # for a busy machine
ALONE = {"ALLOWED_DOMAINS": "127.0.0.1", "RATE_LIMIT_PER_IP": "0"}
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "unsupported_method",
)


def test_schemathesis_finds_no_server_error(tmp_path: Path) -> None:
    with (
        loopback_site() as site,
        # nothing but our own site is ever looked up
        http_server(tmp_path, settings=settings_for(site) | ALONE) as c,
    ):
        described = tmp_path / "openapi.json"
        described.write_text(json.dumps(_with_examples(c.get("/v1/openapi.json").json(), site)))
        run = subprocess.run(
            [
                str(Path(sys.executable).with_name("schemathesis")), "run", str(described),
                "--url", str(c.base_url), "--checks", ",".join(CHECKS),
                "--max-examples", str(EXAMPLES), "--seed", "1",
                "--request-timeout", "20", "--generation-database", "none", "--no-color",
            ],
            cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS, check=False,
        )  # fmt: skip
        healthy = c.get("/health/ready")

    assert run.returncode == 0, run.stdout[-6000:] + run.stderr[-2000:]
    assert re.search(rf"Tested: {len(OPERATIONS)}$", run.stdout, re.M), run.stdout[-2000:]
    assert healthy.status_code == 200
    assert '"error_code": "internal"' not in (tmp_path / "stderr").read_text()


def _with_examples(document: dict[str, Any], site: str) -> dict[str, Any]:
    """Return the OpenAPI document with URLs that exist, so that pages are read."""
    for schema in document["components"]["schemas"].values():
        if "url" in schema.get("properties", {}):
            schema["properties"]["url"]["examples"] = [f"{site}/", f"{site}/p/1", f"{site}/none"]
        if "urls" in schema.get("properties", {}) and "prompt" in schema["properties"]:
            schema["properties"]["urls"]["examples"] = [[f"{site}/", f"{site}/none"]]
    return document
