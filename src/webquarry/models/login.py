"""A stored login: the cookies and the local storage with which one host knows a person."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from webquarry.models.model import Model

LoginSource = Literal["browser", "storage_state", "cookies_file"]


class LoginCookie(Model):
    """One cookie, sent to the host of its login only."""

    name: str
    value: str
    path: str = "/"
    expires: float = Field(default=-1, description="Unix seconds; -1: with the session.")
    secure: bool = False
    http_only: bool = False


class StoredLogin(Model):
    """A login for one host."""

    host: str
    source: LoginSource
    stored_at: float
    expires_at: float
    cookies: tuple[LoginCookie, ...] = ()
    local_storage: dict[str, str] = Field(default={}, description="Of the host, by name.")
    origin: str = Field(default="", description="Whose local storage it is.")

    def storage_state(self) -> Mapping[str, Any]:
        """Return what a browser context starts with. The cookies are for this host alone."""
        cookies = [
            {
                "name": cookie.name,
                "value": cookie.value,
                "domain": self.host,  # without a dot: not for its subdomains
                "path": cookie.path,
                "expires": cookie.expires,
                "httpOnly": cookie.http_only,
                "secure": cookie.secure,
                "sameSite": "Lax",
            }
            for cookie in self.cookies
        ]
        stored = [{"name": name, "value": value} for name, value in self.local_storage.items()]
        origins = [{"origin": self.origin, "localStorage": stored}] if stored else []
        return {"cookies": cookies, "origins": origins}

    def cookie_header(self, *, path: str, secure: bool, now: float) -> str:
        """Return the Cookie header for a request to the host."""
        sent = [
            f"{cookie.name}={cookie.value}"
            for cookie in self.cookies
            if _matches(cookie.path, path)
            and (secure or not cookie.secure)
            and (cookie.expires < 0 or cookie.expires > now)
        ]
        return "; ".join(sent)


def _matches(cookie_path: str, path: str) -> bool:
    """Tell whether a cookie of this path belongs to a request (RFC 6265, 5.1.4)."""
    if not path.startswith(cookie_path):
        return False
    return cookie_path.endswith("/") or path[len(cookie_path) :][:1] in {"", "/"}
