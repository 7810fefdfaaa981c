import json

import pytest

from webquarry.errors import BadInputError
from webquarry.models.login import LoginCookie, StoredLogin
from webquarry.reading.signed_in.login_files import login_from_cookies, login_from_state

HOST = "app.owls.test"
COOKIES = """# Netscape HTTP Cookie File
#HttpOnly_app.owls.test\tFALSE\t/\tTRUE\t2000\tsession\tabc
.owls.test\tTRUE\t/area\tFALSE\t0\tsite\tdef
.mice.test\tTRUE\t/\tFALSE\t0\tforeign\tno
other.owls.test\tFALSE\t/\tFALSE\t0\tsibling\tno
app.owls.test\tFALSE\t/\tFALSE\t900\texpired\tno
"""


def test_a_cookies_file_gives_what_a_browser_would_send_to_the_host() -> None:
    login = login_from_cookies(COOKIES, HOST, now=1000.0, ttl=60.0)

    assert login == StoredLogin(
        host=HOST,
        source="cookies_file",
        stored_at=1000.0,
        expires_at=1060.0,
        cookies=(
            LoginCookie(name="session", value="abc", expires=2000, secure=True, http_only=True),
            LoginCookie(name="site", value="def", path="/area"),
        ),
    )


def test_a_storage_state_gives_the_cookies_and_the_local_storage_of_the_host() -> None:
    state = {
        "cookies": [
            {"name": "a", "value": "1", "domain": ".owls.test", "path": "/", "expires": -1,
             "httpOnly": True, "secure": False, "sameSite": "Lax"},
            {"name": "b", "value": "2", "domain": "mice.test", "path": "/"},
        ],
        "origins": [
            {"origin": "https://mice.test", "localStorage": [{"name": "x", "value": "no"}]},
            {"origin": f"https://{HOST}", "localStorage": [{"name": "token", "value": "t"}]},
        ],
    }  # fmt: skip

    login = login_from_state(json.dumps(state), HOST, now=1000.0, ttl=60.0)

    assert login.storage_state() == {
        "cookies": [
            {"name": "a", "value": "1", "domain": HOST, "path": "/", "expires": -1,
             "httpOnly": True, "secure": False, "sameSite": "Lax"},
        ],
        "origins": [
            {"origin": f"https://{HOST}", "localStorage": [{"name": "token", "value": "t"}]}
        ],
    }  # fmt: skip


def test_cookies_are_sent_by_path_security_and_expiry() -> None:
    login = login_from_cookies(COOKIES, HOST, now=1000.0, ttl=60.0)

    headers = [
        login.cookie_header(path="/", secure=True, now=1000.0),
        login.cookie_header(path="/", secure=False, now=1000.0),
        login.cookie_header(path="/area/1", secure=True, now=1000.0),
        login.cookie_header(path="/areas", secure=True, now=3000.0),
    ]

    assert headers == ["session=abc", "", "session=abc; site=def", ""]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("app.owls.test TRUE / FALSE 0 a b", "Line 1 of the cookies file has not the 7 columns"),
        ("# nothing\n", "There is nothing to store for app.owls.test"),
        ("app.owls.test\tTRUE\t/\tFALSE\tsoon\ta\tb", "Line 1 of the cookies file"),
        ("app.owls.test\tTRUE\t/\tFALSE\t0\ta\tb\x01", "Cookies have control characters: a"),
        ("x" * (2**20 + 1), "The file is too large"),
    ],
)
def test_a_wrong_cookies_file_is_explained(text: str, message: str) -> None:
    with pytest.raises(BadInputError, match=message):
        login_from_cookies(text, HOST, now=1000.0, ttl=60.0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cookies", "is not JSON"),
        ('{"cookies": [{"name": "a"}]}', "The storage state is not valid: cookies.0.value"),
        ("{}", "There is nothing to store"),
    ],
)
def test_a_wrong_storage_state_is_explained(text: str, message: str) -> None:
    with pytest.raises(BadInputError, match=message):
        login_from_state(text, HOST, now=1000.0, ttl=60.0)
