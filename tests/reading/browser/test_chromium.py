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


def test_the_configured_path_is_used(tmp_path: Path) -> None:
    path = program(tmp_path, "my-chrome")

    assert chromium.find_program(BrowserOptions(path=str(path))) == str(path)


def test_otherwise_common_program_names_are_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    google = program(tmp_path, "google-chrome")
    assert chromium.find_program(BrowserOptions()) == str(google)

    debian = program(tmp_path, "chromium")
    assert chromium.find_program(BrowserOptions()) == str(debian)


def test_a_missing_browser_error_says_how_to_install_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(BrowserError, match="apt install chromium"):
        chromium.find_program(BrowserOptions())


def test_all_browser_traffic_goes_through_the_guard() -> None:
    flags = chromium.arguments("socks5h://127.0.0.1:4711")

    assert "--proxy-server=socks5://127.0.0.1:4711" in flags
    assert "--proxy-bypass-list=<-loopback>" in flags
    assert "--webrtc-ip-handling-policy=disable_non_proxied_udp" in flags
    assert "--force-webrtc-ip-handling-policy=disable_non_proxied_udp" in flags
    assert "--no-sandbox" not in flags


def test_the_sandbox_is_disabled_only_for_root_or_on_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert chromium.can_sandbox(BrowserOptions())
    assert chromium.can_sandbox(BrowserOptions(no_sandbox="auto"))
    assert not chromium.can_sandbox(BrowserOptions(no_sandbox="true"))

    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert not chromium.can_sandbox(BrowserOptions())


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("x\n[1:1] No usable sandbox! Update your kernel", "set CHROME_NO_SANDBOX"),
        ("\n  Failed to launch: owls\nmore", "Chromium did not start (Failed to launch: owls)"),
        ("", "no reason given"),
    ],
)
def test_a_failed_start_is_explained_in_one_line(output: str, words: str) -> None:
    said = chromium.launch_error_message(output)

    assert words in said
    assert "\n" not in said


def test_the_headless_user_agent_is_that_of_a_normal_browser() -> None:
    assert chromium.user_agent("156.0.8078.79") == (
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
        "Chrome/156.0.0.0 Safari/537.36"
    )
