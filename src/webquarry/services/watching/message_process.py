"""Sends one message through Apprise, in a process that may connect to public addresses only.

Apprise opens connections itself: with `requests`, with `smtplib`, to wherever its URL leads. All of
them look up addresses with `socket.getaddrinfo`, which answers here only with permitted ones, so
neither a redirect nor a name that changes its address leads into a private network.
"""

import json
import logging
import socket
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from webquarry.net.guard import ip_ranges

Lookup = Callable[..., list[tuple[Any, ...]]]


def main() -> None:
    """Read a message from stdin, send or only check it, and write the outcome to stdout."""
    message = json.loads(sys.stdin.buffer.read())
    guarded_lookup(allow_private=message["allow_private"])
    sys.stdout.write(json.dumps({"problem": _send(message)}))


def guarded_lookup(*, allow_private: bool) -> None:
    """Let this process look up permitted addresses only."""
    lookup: Lookup = socket.getaddrinfo

    def getaddrinfo(*arguments: Any, **options: Any) -> list[tuple[Any, ...]]:
        found = lookup(*arguments, **options)
        for entry in found:
            if ip_ranges.denial_reason(entry[4][0], allow_private=allow_private):
                raise socket.gaierror(socket.EAI_FAIL, "the address is not permitted")
        return found

    socket.getaddrinfo = getaddrinfo


def _send(message: dict[str, Any]) -> str:
    # imported here: it loads more than a hundred plugins; it has no complete types
    apprise: Any = import_module("apprise")

    # its log names the addresses of people
    logging.getLogger("apprise").setLevel(logging.CRITICAL + 1)
    asset = apprise.AppriseAsset(http_redirects=False, async_mode=False, secure_logging=True)
    sender = apprise.Apprise(asset=asset)
    if not sender.add(message["url"]):
        return "address"
    if "text" not in message:  # only the address is checked
        return ""
    sent = sender.notify(body=message["text"], title=message["title"], body_format="text")
    return "" if sent else "refused"


if __name__ == "__main__":
    main()
