"""Mail and chat services through Apprise, whose URLs name the service, the key and the receiver."""

import asyncio
import json
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from webquarry.crawl.webhook_delivery import GoneError
from webquarry.errors import BadInputError, SettingsError
from webquarry.parsing.worker_process import ENVIRONMENT

_SECONDS = 60.0
_MAX_URL = 2000
# plugins that do something on this machine
_LOCAL = frozenset({"dbus", "qt", "kde", "glib", "gnome", "macosx", "windows", "syslog"})


@dataclass(frozen=True, kw_only=True)
class MessageServices:
    """Sends messages, each in a process of its own: Apprise opens connections itself."""

    allow_private: bool = False

    async def check(self, url: str) -> None:
        """Raise an error for an address that Apprise cannot send to."""
        if find_spec("apprise") is None:
            raise SettingsError(
                "notify: mail and chat services need Apprise, which is not installed:"
                " pip install 'webquarry[notify]'"
            )
        scheme = url.partition("://")[0].lower()
        usable = len(url) <= _MAX_URL and scheme not in _LOCAL
        # in a process of its own, too: Apprise loads more than a hundred plugins
        if not usable or await self._post({"url": url}):
            raise BadInputError(
                f"notify: {scheme[:20]}:// is no usable address of a mail or chat service; see "
                "https://github.com/caronc/apprise/wiki for their forms"
            )

    async def send(self, url: str, title: str, text: str) -> str:
        """Return '' if it was accepted, otherwise why not; `GoneError` if that is permanent."""
        if find_spec("apprise") is None:
            return "apprise is not installed"
        problem = await self._post({"url": url, "title": title, "text": text})
        if problem == "address":
            raise GoneError("Apprise does not know its address")
        return problem

    async def _post(self, message: dict[str, Any]) -> str:
        data = json.dumps(message | {"allow_private": self.allow_private})
        reply = await _run(data.encode("utf-8", "replace"))
        return str(reply.get("problem", "no reply"))


async def _run(message: bytes) -> dict[str, Any]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-B", "-m", "webquarry.services.watching.message_process",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=ENVIRONMENT,
        cwd="/",
    )  # fmt: skip
    try:
        async with asyncio.timeout(_SECONDS):
            output, _ = await process.communicate(message)
    except TimeoutError:
        return {"problem": "timeout"}
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    try:
        return json.loads(output)
    except ValueError:
        return {"problem": "no reply"}
