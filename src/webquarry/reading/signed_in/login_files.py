"""Makes a login of what a browser stores: Playwright's storage state, a Netscape cookies file."""

import json
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

from pydantic import Field, ValidationError

from webquarry.errors import BadInputError
from webquarry.models.login import LoginCookie, LoginSource, StoredLogin
from webquarry.models.model import Model, first_problem

_COLUMNS = 7  # of a line: domain, subdomains, path, secure, expires, name, value
_HTTP_ONLY = "#HttpOnly_"
_MAX_BYTES = 2**20


class _Cookie(Model, extra="ignore"):
    name: str
    value: str
    domain: str
    path: str = "/"
    expires: float = -1
    http_only: bool = Field(default=False, alias="httpOnly")
    secure: bool = False


class _Item(Model, extra="ignore"):
    name: str
    value: str


class _Origin(Model, extra="ignore"):
    origin: str
    local_storage: tuple[_Item, ...] = Field(default=(), alias="localStorage")


class _State(Model, extra="ignore"):
    cookies: tuple[_Cookie, ...] = ()
    origins: tuple[_Origin, ...] = Field(default=())


def login_from_state(
    text: str, host: str, *, now: float, ttl: float, source: LoginSource = "storage_state"
) -> StoredLogin:
    """Return what a storage state (JSON of Playwright) has for the host."""
    try:
        state = _State.model_validate(json.loads(_limited(text)))
    except ValidationError as error:
        raise BadInputError(f"The storage state is not valid: {first_problem(error)}") from error
    except ValueError as error:
        raise BadInputError("The storage state is not JSON, as Playwright writes it.") from error
    origins = [each for each in state.origins if urlsplit(each.origin).hostname == host]
    items = {item.name: item.value for each in origins[:1] for item in each.local_storage}
    login = StoredLogin(
        host=host,
        source=source,
        stored_at=now,
        expires_at=now + ttl,
        cookies=_of_host(host, state.cookies, now),
        local_storage=items,
        origin=origins[0].origin if items else "",
    )
    return _checked(login)


def login_from_cookies(text: str, host: str, *, now: float, ttl: float) -> StoredLogin:
    """Return what a cookies file (cookies.txt, in the Netscape format) has for the host."""
    cookies = [
        _netscape_cookie(number, line)
        for number, line in enumerate(_limited(text).splitlines(), 1)
        if line.strip() and (not line.startswith("#") or line.startswith(_HTTP_ONLY))
    ]
    login = StoredLogin(
        host=host,
        source="cookies_file",
        stored_at=now,
        expires_at=now + ttl,
        cookies=_of_host(host, cookies, now),
    )
    return _checked(login)


def login_from_context(
    state: Mapping[str, Any], host: str, *, now: float, ttl: float
) -> StoredLogin:
    """Return what a browser has stored for the host."""
    return login_from_state(json.dumps(state), host, now=now, ttl=ttl, source="browser")


def _netscape_cookie(number: int, line: str) -> _Cookie:
    fields = line.removeprefix(_HTTP_ONLY).rstrip("\r").split("\t")
    if len(fields) != _COLUMNS or not fields[4].removeprefix("-").isdigit():
        raise BadInputError(
            f"Line {number} of the cookies file has not the 7 columns, divided by tabs, of the "
            "Netscape format."
        )
    expires = float(fields[4])
    return _Cookie(
        domain=fields[0],
        path=fields[2],
        secure=fields[3].upper() == "TRUE",
        expires=expires if expires > 0 else -1,
        name=fields[5],
        value=fields[6],
        httpOnly=line.startswith(_HTTP_ONLY),
    )


def _of_host(host: str, cookies: Iterable[_Cookie], now: float) -> tuple[LoginCookie, ...]:
    """Return the cookies that a browser would send to the host and that have not expired."""
    return tuple(
        LoginCookie(
            name=cookie.name,
            value=cookie.value,
            path=cookie.path or "/",
            expires=cookie.expires,
            secure=cookie.secure,
            http_only=cookie.http_only,
        )
        for cookie in cookies
        if _is_sent_to(cookie.domain, host) and (cookie.expires < 0 or cookie.expires > now)
    )


def _is_sent_to(domain: str, host: str) -> bool:
    bare = domain.lower().removeprefix(".")
    return host == bare or (domain.startswith(".") and host.endswith(f".{bare}"))


def _limited(text: str) -> str:
    if len(text) > _MAX_BYTES:
        raise BadInputError("The file is too large: a login has at most 1 MiB.")
    return text


def _checked(login: StoredLogin) -> StoredLogin:
    if not login.cookies and not login.local_storage:
        raise BadInputError(
            f"There is nothing to store for {login.host}: no cookie and no local storage of this "
            "host, or all cookies have expired."
        )
    unusable = [c.name for c in login.cookies if any(ord(x) < 32 for x in c.name + c.value)]
    if unusable:
        raise BadInputError(f"Cookies have control characters: {', '.join(unusable)}")
    return login
