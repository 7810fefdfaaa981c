"""CDXJ index lines, sorted by the reversed host of a URL."""

import json
from urllib.parse import parse_qsl, urlencode, urlsplit

from webquarry.webarchive.warc_writing import INDEXED, WrittenRecord

_DEFAULT_PORTS = {"http": "80", "https": "443"}


def sort_key(url: str) -> str:
    """Return a URL as readers of archives sort it: `org,example)/path?query`."""
    if not url.lower().startswith(("http://", "https://")):
        return url.lower()
    parts = urlsplit(url.lower())
    host, _, port = parts.netloc.rpartition("@")[2].partition(":")
    labels = host.removeprefix("www.").split(".")
    suffix = f":{port}" if port and port != _DEFAULT_PORTS[parts.scheme] else ""
    # stable: parameters of one name keep their order
    query = sorted(parse_qsl(parts.query, keep_blank_values=True), key=lambda pair: pair[0])
    return (
        f"{','.join(reversed(labels))}{suffix}){parts.path or '/'}"
        f"{'?' + urlencode(query) if query else ''}"
    )


def index_line(record: WrittenRecord, filename: str) -> str | None:
    """Return the line of a record; None for records that replay does not show."""
    if record.type not in INDEXED or not record.is_page:
        return None
    stamp = "".join(filter(str.isdigit, record.date))[:14]
    fields = {
        "url": record.url,
        "mime": "warc/revisit" if record.type == "revisit" else record.media_type,
        "status": str(record.status or 200),
        "digest": f"sha256:{record.payload}",
        "length": str(record.length),
        "offset": str(record.offset),
        "filename": filename,
    }
    return f"{sort_key(record.url)} {stamp} {json.dumps(fields)}"
