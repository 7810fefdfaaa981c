"""The part of a link that says where it leads: without session ids, tokens and tracking."""

import re
from functools import lru_cache
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from webquarry.content.ranking.result_urls import MAX_URL_CHARS, canonical_key
from webquarry.content.text.word_list import word_set

_SESSION_NAMES = word_set(
    "sid sessionid session session_id phpsessid jsessionid aspsessionid cfid cftoken zenid "
    "oscsid token csrf csrf_token csrftoken _csrf authenticity_token nonce _wpnonce requestid "
    "request_id rid cb cachebuster cache nocache rnd rand random ts timestamp _ _t _ts t_ "
    "formkey form_key sig signature expires hash visitor visitorid clickid click_id impression "
    "impressionid ref referrer position pos returnurl return_to returnto"
)
_PATH_SESSION = re.compile(r";(?:jsessionid|sid|phpsessid)=[^/?#;]*+", re.IGNORECASE)
_TOKEN = re.compile(r"(?=.{0,200}\d)(?:[0-9a-fA-F-]{20,200}|[\w+/=.-]{32,200})")


@lru_cache(maxsize=8192)
def comparable_link(url: str) -> str:
    """Return the URL without what differs on each visit."""
    if len(url) > MAX_URL_CHARS:
        return url
    try:
        parts = urlsplit(_PATH_SESSION.sub("", url.strip()))
        query = parse_qsl(parts.query, keep_blank_values=True, max_num_fields=100)
    except ValueError:
        return url
    kept = [
        (name, value)
        for name, value in query
        if name.lower() not in _SESSION_NAMES and not _TOKEN.fullmatch(value)
    ]
    clean = urlunsplit(parts._replace(query=urlencode(kept)))
    if not parts.netloc:
        return clean
    return f"{canonical_key(clean)}#{parts.fragment}" if parts.fragment else canonical_key(clean)
