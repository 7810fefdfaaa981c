import json
from pathlib import Path

from tests.cli.test_main import run

COOKIES = "owls.test\tFALSE\t/\tTRUE\t0\tsession\ts3cr3t-cookie\n"


def test_a_login_is_taken_from_a_cookies_file_listed_and_revoked(tmp_path: Path) -> None:
    (tmp_path / "cookies.txt").write_text(COOKIES)
    stored = run(tmp_path, "login", "owls.test", "--cookies", "cookies.txt", "--yes")
    listed = run(tmp_path, "login", "--list", "--json")
    shown = run(tmp_path, "login", "--list").stdout
    revoked = run(tmp_path, "login", "--revoke", "owls.test")
    again = run(tmp_path, "login", "--revoke", "owls.test")

    assert stored.stdout.startswith("Stored the login for owls.test (1 values) until 2")
    assert "You sign in to owls.test yourself." in stored.stderr
    [login] = json.loads(listed.stdout)
    assert (login["host"], login["cookies"]) == ("owls.test", ["session"])
    assert shown.startswith("owls.test  stored 2")
    assert "s3cr3t" not in stored.stdout + stored.stderr + listed.stdout + shown
    assert revoked.stdout == "Deleted the login for owls.test.\n"
    assert (again.returncode, "There is no login" in again.stderr) == (1, True)


def test_nothing_is_stored_without_agreement(tmp_path: Path) -> None:
    (tmp_path / "cookies.txt").write_text(COOKIES)
    refused = run(tmp_path, "login", "owls.test", "--cookies", "cookies.txt")
    listed = run(tmp_path, "login", "--list")

    assert refused.returncode == 1
    assert listed.stdout.startswith("No logins yet.")


def test_wrong_options_are_one_sentence(tmp_path: Path) -> None:
    nothing = run(tmp_path, "login")
    lifetime = run(tmp_path, "login", "owls.test", "--expires", "soon", "--yes")

    assert (nothing.returncode, lifetime.returncode) == (2, 2)
    assert "give the URL to sign in at" in nothing.stderr
    assert "--expires is 'soon'" in lifetime.stderr
