"""Finds credentials in URLs."""

import re
from urllib.parse import unquote, urlsplit

# names of parameters whose value gives access to something
_NAME = re.compile(
    r"(?:[?&;#])(?P<name>(?:[\w.-]{0,40}[_.-])?"
    r"(?:(?:api|access|auth|client|id|private|refresh|secret|session)?"
    r"(?:key|token|secret|password|passwd|passphrase|pwd|pass)"
    r"|signature|sig|hmac|auth|authorization|credentials?|jwt|otp|oauth_verifier|bearer"
    r"|(?:php|j|asp\.net_)?sess(?:ion)?_?id|sid))=[^&;#]",
    re.IGNORECASE | re.ASCII,
)


def credential_in_url(url: str) -> str | None:
    """Describe the first credential in a URL: user information, or a parameter with a secret."""
    try:
        if "@" in urlsplit(url.strip()).netloc:
            return "a user name or password"
    except ValueError:
        return None
    # a URL inside a parameter is encoded once more
    for text in (url, unquote(url), unquote(unquote(url))):
        if found := _NAME.search(text):
            return f"the parameter {found['name']!r}"
    return None
