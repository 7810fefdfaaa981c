"""The files in deploy/ name only existing files and settings. (No image is built.)"""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from tests.server.http_server import http_server
from webquarry.settings.tree import declarations
from webquarry.version import __version__
from webquarry.wiring.declared_settings import declared_variables

DEPLOY = Path(__file__).parents[1] / "deploy"
KNOWN_SETTINGS = set(declarations(declared_variables()))


def _yaml(name: str) -> list[Any]:
    return list(yaml.safe_load_all((DEPLOY / name).read_text(encoding="utf-8")))


def _assigned(text: str) -> set[str]:
    return set(re.findall(r"^#?([A-Z][A-Z0-9_]+)=", text, re.MULTILINE))


def test_the_image_runs_unprivileged_and_includes_a_browser() -> None:
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")

    assert re.findall(r"^USER (.+)$", text, re.MULTILINE) == ["10001:10001"]
    assert "install -y --no-install-recommends chromium" in text
    named = set(re.findall(r"([A-Z][A-Z0-9_]+)=\S+", text)) - {"PATH", "PYTHONUNBUFFERED"}
    assert (
        named - KNOWN_SETTINGS - {"OAUTH_ISSUER_URL", "API_KEYS", "ALLOW_UNAUTHENTICATED"} == set()
    )


def test_the_start_command_and_the_health_check_of_the_image_work(tmp_path: Path) -> None:
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    [health, start] = [json.loads(found) for found in re.findall(r"CMD (\[.*\])$", text, re.M)]
    [entry] = [json.loads(found) for found in re.findall(r"^ENTRYPOINT (\[.*\])$", text, re.M)]

    assert entry == ["tini", "--", "webquarry"]
    assert health[0] == "python"
    assert start == ["serve", "--http"]  # as the server below is started
    with http_server(tmp_path) as client:
        environ = {"PORT": str(client.base_url.port)}
        assert (
            subprocess.run([sys.executable, *health[1:]], env=environ, check=False).returncode == 0
        )
    failed = subprocess.run(
        [sys.executable, *health[1:]], env=environ, capture_output=True, check=False
    )
    assert failed.returncode == 1


def test_compose_starts_redis_postgres_and_searxng_and_sets_only_known_settings() -> None:
    [compose] = _yaml("compose.yaml")
    service = compose["services"]["webquarry"]

    assert set(compose["services"]) == {"webquarry", "redis", "postgres", "searxng"}
    assert set(service["environment"]) <= KNOWN_SETTINGS
    assert _assigned((DEPLOY / "compose.env.example").read_text(encoding="utf-8")) <= KNOWN_SETTINGS
    assert (DEPLOY / service["build"]["dockerfile"].removeprefix("deploy/")).exists()
    mounts = [v for s in compose["services"].values() for v in s.get("volumes", [])]
    files = [mount.split(":")[0] for mount in mounts if mount.startswith("./")]
    assert [name for name in files if not (DEPLOY / name).exists()] == []
    named = {mount.split(":")[0] for mount in mounts if not mount.startswith("./")}
    assert named == set(compose["volumes"])


def test_images_are_pinned_to_a_version_and_its_content() -> None:
    [compose] = _yaml("compose.yaml")
    images = [each["image"] for each in compose["services"].values() if "build" not in each]
    dockerfile = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    images += re.findall(r"^FROM (\S+)", dockerfile, re.MULTILINE)

    pinned = re.compile(r"[a-z/]+:\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}")
    assert [image for image in images if not pinned.fullmatch(image)] == []


def test_redis_of_compose_requires_the_password_that_the_server_uses() -> None:
    [compose] = _yaml("compose.yaml")
    redis = compose["services"]["redis"]
    command = redis["command"]

    assert command[command.index("--requirepass") + 1].startswith("${REDIS_PASSWORD:?")
    assert redis["environment"]["REDISCLI_AUTH"].startswith("${REDIS_PASSWORD:?")
    url = compose["services"]["webquarry"]["environment"]["REDIS_URL"]
    assert re.fullmatch(r"redis://:\$\{REDIS_PASSWORD:\?[^}]+\}@redis:6379/0", url)
    assert "ports" not in redis


def test_kubernetes_sets_only_known_settings_and_probes_health() -> None:
    documents = {document["kind"]: document for document in _yaml("kubernetes/webquarry.yaml")}
    pod = documents["Deployment"]["spec"]["template"]["spec"]
    [container] = pod["containers"]

    assert {entry["name"] for entry in container["env"]} <= KNOWN_SETTINGS
    assert container["readinessProbe"]["httpGet"]["path"] == "/health/ready"
    assert container["livenessProbe"]["httpGet"]["path"] == "/health/live"
    assert pod["securityContext"]["runAsNonRoot"] is True
    mounted = {mount["name"] for mount in container["volumeMounts"]}
    assert mounted == {volume["name"] for volume in pod["volumes"]}
    labels = documents["Deployment"]["spec"]["template"]["metadata"]["labels"]
    assert documents["Service"]["spec"]["selector"] == labels
    secrets = set(
        re.findall(
            r"--from-literal=([A-Z_]+)=",
            (DEPLOY / "kubernetes/webquarry.yaml").read_text(encoding="utf-8"),
        )
    )
    assert secrets <= KNOWN_SETTINGS


def _manifests() -> list[Any]:
    files = sorted(path.name for path in (DEPLOY / "kubernetes").glob("*.yaml"))
    documents = [document for name in files for document in _yaml(f"kubernetes/{name}")]
    return [document for document in documents if document["kind"] != "Kustomization"]


@pytest.mark.parametrize("release", ["1.31", "1.34"])
def test_kubernetes_accepts_the_manifests(release: str) -> None:
    for manifest in _manifests():
        kubernetes_validate.validate(manifest, release, strict=True)


def test_a_misspelt_field_of_a_manifest_is_refused() -> None:
    manifest = next(m for m in _manifests() if m["kind"] == "Deployment")
    manifest["spec"]["replica"] = manifest["spec"].pop("replicas")

    with pytest.raises(kubernetes_validate.ValidationError, match="replica"):
        kubernetes_validate.validate(manifest, "1.34", strict=True)


def test_kustomize_applies_existing_files_and_pins_the_image_of_this_version() -> None:
    [kustomization] = _yaml("kubernetes/kustomization.yaml")
    [image] = kustomization["images"]
    [compose] = _yaml("compose.yaml")
    [deployment] = [m for m in _manifests() if m["kind"] == "Deployment"]
    [container] = deployment["spec"]["template"]["spec"]["containers"]

    others = {p.name for p in (DEPLOY / "kubernetes").glob("*.yaml")} - {"kustomization.yaml"}
    assert set(kustomization["resources"]) == others
    assert container["image"] == f"{image['name']}:{__version__}"
    assert image["newTag"] == __version__
    assert compose["services"]["webquarry"]["image"] == f"webquarry:{__version__}"


def test_the_systemd_unit_waits_longer_than_draining_takes() -> None:
    text = (DEPLOY / "webquarry.service").read_text(encoding="utf-8")

    assert "ExecStart=/opt/webquarry/bin/webquarry serve --http" in text
    assert "User=webquarry" in text
    assert int(re.findall(r"TimeoutStopSec=(\d+)", text)[0]) > 30 + 5
    environment = re.findall(r"^Environment=(.+)$", text, re.MULTILINE)[0].split()
    assert {pair.partition("=")[0] for pair in environment} <= KNOWN_SETTINGS | {"PYTHONUNBUFFERED"}


def test_the_seccomp_profile_allows_user_namespaces_and_no_mounts() -> None:
    profile = json.loads((DEPLOY / "seccomp-chromium.json").read_text(encoding="utf-8"))
    denied = {name for rule in profile["syscalls"] if "args" not in rule for name in rule["names"]}
    [compose] = _yaml("compose.yaml")

    assert profile["defaultAction"] == "SCMP_ACT_ALLOW"
    assert {rule["action"] for rule in profile["syscalls"]} == {"SCMP_ACT_ERRNO"}
    assert denied & {"clone", "clone3", "unshare", "chroot"} == set()  # Chromium's sandbox
    assert denied >= {"mount", "ptrace", "bpf", "setns", "init_module", "keyctl"}
    assert "socket" not in denied  # only to the host and to the kernel's cryptography
    assert "seccomp:seccomp-chromium.json" in compose["services"]["webquarry"]["security_opt"]
    assert "CHROME_NO_SANDBOX=auto" in (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
