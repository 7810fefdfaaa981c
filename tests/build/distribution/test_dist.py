"""The wheel, the sdist and the build of the image contain what they should, and run."""

import configparser
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_string
from pathlib import Path

from tests.build.distribution.conftest import ROOT, Dist, build
from tests.server.processes import environment
from webquarry.version import __version__

SOURCE = ROOT / "src"
PACKAGES = ("webquarry", "webquarry_demo")  # not webquarry_build


def _sources() -> dict[str, bytes]:
    """Return all files of the packages that are shipped: code and data."""
    return {
        str(path.relative_to(SOURCE)): path.read_bytes()
        for package in PACKAGES
        for path in (SOURCE / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def _contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _record(contents: dict[str, bytes], name: str) -> str:
    return contents[f"webquarry-{__version__}.dist-info/{name}"].decode()


def test_the_wheel_contains_exactly_the_files_of_both_packages(
    dist: Dist,
) -> None:
    contents = _contents(dist.wheel)

    roots = tuple(f"{package}/" for package in PACKAGES)
    packaged = {name: data for name, data in contents.items() if name.startswith(roots)}
    sources = _sources()
    everything = sources.keys() | packaged.keys()
    assert [n for n in sorted(everything) if sources.get(n) != packaged.get(n)] == []
    data = {"content/main_content/blocks.npz", "content/main_content/lexicon.npz", "py.typed"}
    assert {f"webquarry/{name}" for name in data} <= packaged.keys()
    assert "webquarry_demo/site/sites.json" in packaged
    assert {name.partition("/")[0] for name in contents.keys() - packaged.keys()} == {
        f"webquarry-{__version__}.dist-info", "webquarry_styles",
    }  # fmt: skip


def test_the_wheel_starts_as_webquarry_and_nothing_else(dist: Dist) -> None:
    points = configparser.ConfigParser()
    points.read_string(_record(_contents(dist.wheel), "entry_points.txt"))

    assert {section: dict(points[section]) for section in points.sections()} == {
        "console_scripts": {"webquarry": "webquarry.__main__:main"}
    }


def test_the_wheel_has_the_common_citation_styles_with_their_licence(dist: Dist) -> None:
    contents = _contents(dist.wheel)
    names = (ROOT / "src/webquarry_build/distribution/common_styles.txt").read_text().split()

    assert {f"webquarry_styles/{name}.csl" for name in names} | {"webquarry_styles/NOTICE.txt"} == {
        name for name in contents if name.startswith("webquarry_styles/")
    }


def test_the_metadata_says_what_pyproject_says_and_names_no_address(dist: Dist) -> None:
    contents = _contents(dist.wheel)
    said = message_from_string(_record(contents, "METADATA"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert (said["Name"], said["Version"], said["Summary"]) == (
        "webquarry", __version__, project["description"],
    )  # fmt: skip
    assert (said["License-Expression"], said["Requires-Python"]) == ("MIT", ">=3.11")
    assert said.get_all("Classifier") == project["classifiers"]
    assert said.get_all("Project-URL") is None
    assert said["Description-Content-Type"] == "text/markdown"
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert str(said.get_payload()).strip() == readme.strip()
    assert _record(contents, "licenses/LICENSE") == (ROOT / "LICENSE").read_text(encoding="utf-8")


def test_the_sdist_holds_the_package_and_its_documents_only(dist: Dist) -> None:
    assert dist.sdist
    with tarfile.open(dist.sdist) as archive:
        names = {Path(*Path(name).parts[1:]) for name in archive.getnames()}

    assert {str(path.parts[0]) for path in names} == {
        ".gitignore", "CHANGELOG.md", "LICENSE", "PKG-INFO", "README.md", "deploy", "docs",
        "llms.txt", "pyproject.toml", "requirements-full.lock", "src",
    }  # fmt: skip
    assert [name for name in names if "__pycache__" in name.parts] == []


def test_the_image_copies_all_that_its_build_needs(tmp_path: Path, dist: Dist) -> None:
    lines = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8").splitlines()
    copied = [re.findall(r"\S+", line)[1:-1] for line in lines if re.match(r"COPY [^-]", line)]
    allowed = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    source = tmp_path / "src"
    source.mkdir()
    for name in (name for names in copied for name in names):
        assert f"!{name}" in allowed
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name)
        else:
            shutil.copy(ROOT / name, source)

    made = build(source, tmp_path / "out", "--wheel")

    assert _contents(made.wheel).keys() == _contents(dist.wheel).keys()
    # the build tool itself comes from the lock: `--no-build-isolation` fetches none
    assert re.search("^hatchling==", (source / "requirements-full.lock").read_text(), re.MULTILINE)


def test_the_installed_wheel_runs(tmp_path: Path, dist: Dist) -> None:
    target = tmp_path / "target"
    uv = Path(sys.executable).with_name("uv")
    subprocess.run(
        [uv, "pip", "install", "--quiet", "--offline", "--no-deps", "--python", sys.executable,
         "--target", target, dist.wheel],
        check=True,
    )  # fmt: skip
    environ = environment(tmp_path, PYTHONPATH=str(target))  # before what this checkout installed

    def run(*command: str) -> str:
        done = subprocess.run(
            [sys.executable, *command], capture_output=True, text=True, env=environ, cwd=tmp_path,
            check=True,
        )  # fmt: skip
        return done.stdout.strip()

    assert run("-c", "import webquarry; print(webquarry.__file__)").startswith(str(target))
    assert run(str(target / "bin" / "webquarry"), "--version") == __version__
    assert '"echoed": "hello"' in run("-m", "webquarry", "call", "echo", "message=hello")
    # the demo is a package of its own, with the pages of its sample web
    assert run("-c", "import webquarry_demo; print(webquarry_demo.__file__)").startswith(
        str(target)
    )
    assert "--no-console" in run("-m", "webquarry", "demo", "--help")
    played = json.loads(run("-m", "webquarry", "demo", "--json", "--no-console"))
    assert [scene["name"] for scene in played["scenes"]][::10] == ["search", "export"]
