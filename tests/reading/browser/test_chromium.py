"""How Chromium is found and started."""

import os
from pathlib import Path

import pytest

from webquarry.errors import BrowserError
from webquarry.reading.browser import chromium
from webquarry.reading.browser.chromium import BrowserOptions


def program(directory: Path, name: str) -> Path:
    path = directory / name
    path.write_text("#!/bin/sh\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def test_the_path_that_is_set_is_taken(tmp_path: Path) -> None:
    path = program(tmp_path, "my-chrome")

    assert chromium.find(BrowserOptions(path=str(path))) == str(path)


def test_otherwise_the_usual_names_are_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    google = program(tmp_path, "google-chrome")
    assert chromium.find(BrowserOptions()) == str(google)

    debian = program(tmp_path, "chromium")
    assert chromium.find(BrowserOptions()) == str(debian)


def test_none_found_says_how_to_get_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(BrowserError, match="apt install chromium"):
        chromium.find(BrowserOptions())


def test_every_way_out_is_the_guard() -> None:
    flags = chromium.arguments("socks5h://127.0.0.1:4711")

    assert "--proxy-server=socks5://127.0.0.1:4711" in flags
    assert "--proxy-bypass-list=<-loopback>" in flags
    assert "--webrtc-ip-handling-policy=disable_non_proxied_udp" in flags
    assert "--force-webrtc-ip-handling-policy=disable_non_proxied_udp" in flags
    assert "--no-sandbox" not in flags


def test_the_sandbox_is_given_up_only_as_root_or_when_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert chromium.may_sandbox(BrowserOptions())
    assert not chromium.may_sandbox(BrowserOptions(sandbox=False))

    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert not chromium.may_sandbox(BrowserOptions())


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("x\n[1:1] No usable sandbox! Update your kernel", "set CHROME_NO_SANDBOX"),
        ("\n  Failed to launch: owls\nmore", "Chromium did not start (Failed to launch: owls)"),
        ("", "no reason given"),
    ],
)
def test_a_failed_start_is_explained_in_one_line(output: str, words: str) -> None:
    said = chromium.explain(output)

    assert words in said
    assert "\n" not in said


def test_it_goes_by_the_name_of_the_browser_with_a_window() -> None:
    assert chromium.user_agent("156.0.8078.79") == (
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
        "Chrome/156.0.0.0 Safari/537.36"
    )
