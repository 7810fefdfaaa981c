import json
from pathlib import Path

from tests.cli.test_main import run


def test_a_key_is_created_listed_and_revoked(tmp_path: Path) -> None:
    made = run(tmp_path, "keys", "create", "--user", "ann", "--scope", "tool:echo", "--json")
    key = json.loads(made.stdout)
    listed = run(tmp_path, "keys", "list", "--json")
    shown = run(tmp_path, "keys", "list").stdout
    revoked = run(tmp_path, "keys", "revoke", key["id"])
    again = run(tmp_path, "keys", "revoke", key["id"])

    text = key.pop("key")
    assert text.startswith(f"wq_{key['id']}_")
    assert json.loads(listed.stdout) == [key]
    assert text not in listed.stdout + shown
    assert shown.startswith(f"{key['id']}  default  ann  tool:echo  created ")
    assert revoked.stdout == f"Revoked {key['id']} of ann (default).\n"
    assert (again.returncode, "there is no API key" in again.stderr) == (1, True)


def test_a_wrong_lifetime_or_scope_is_one_sentence(tmp_path: Path) -> None:
    lifetime = run(tmp_path, "keys", "create", "--user", "ann", "--expires", "soon")
    scope = run(tmp_path, "keys", "create", "--user", "ann", "--scope", "root")

    assert (lifetime.returncode, scope.returncode) == (2, 2)
    assert lifetime.stderr.startswith("webquarry: --expires is 'soon'; accepted: a duration")
    assert scope.stderr.startswith("webquarry: scope 'root' is unknown")
