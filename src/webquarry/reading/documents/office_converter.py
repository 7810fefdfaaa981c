"""Has LibreOffice convert documents of Office before 2007 (.doc, .ppt)."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import Process

from webquarry.reading.documents.document_errors import DocumentError, ReaderCrashError

_PROGRAMS = ("soffice", "libreoffice")
_MAX_OUTPUT = 256 * 2**20
_TARGETS = {"doc": "docx", "ppt": "pptx"}
# no macros, no linked files from elsewhere, and a proxy that does not exist for the rest
_PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Common/Security/Scripting">
<prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop>
<prop oor:name="DisableActiveContent" oor:op="fuse"><value>true</value></prop>
<prop oor:name="BlockUntrustedRefererLinks" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Inet/Settings">
<prop oor:name="ooInetProxyType" oor:op="fuse"><value>2</value></prop>
<prop oor:name="ooInetHTTPProxyName" oor:op="fuse"><value>127.0.0.1</value></prop>
<prop oor:name="ooInetHTTPProxyPort" oor:op="fuse"><value>9</value></prop>
<prop oor:name="ooInetHTTPSProxyName" oor:op="fuse"><value>127.0.0.1</value></prop>
<prop oor:name="ooInetHTTPSProxyPort" oor:op="fuse"><value>9</value></prop></item>
</oor:items>
"""
# untyped: Windows does not have the module
_resource: Any = import_module("resource") if sys.platform != "win32" else None


def find_office(setting: str) -> Path | None:
    """Return the program that a setting names or that is installed; None for `disabled`."""
    if setting == "disabled":
        return None
    if setting:
        return Path(setting)
    found = next(filter(None, map(shutil.which, _PROGRAMS)), None)
    return Path(found) if found else None


class OfficeConverter:
    """Converts one document at a time, in a directory and with a profile of its own."""

    def __init__(self, program: Path, *, seconds: float = 60.0) -> None:
        self._program = program
        self._seconds = seconds
        self._slot = anyio.Semaphore(1)

    async def convert(self, data: bytes, ending: str, url: str) -> bytes:
        """Return a document of kind `ending`, doc or ppt, in the format since 2007."""
        async with self._slot:
            with tempfile.TemporaryDirectory(prefix="webquarry-office-") as name:
                return await self._convert(Path(name), data, ending, url)

    async def _convert(self, folder: Path, data: bytes, ending: str, url: str) -> bytes:
        source, target = folder / f"document.{ending}", folder / f"document.{_TARGETS[ending]}"
        profile = folder / "profile" / "user"
        profile.mkdir(parents=True)
        (profile / "registrymodifications.xcu").write_text(_PROFILE, "utf-8")
        source.write_bytes(data)
        command = [
            str(self._program),
            f"-env:UserInstallation={(folder / 'profile').as_uri()}",
            "--headless", "--norestore", "--nolockcheck", "--nodefault", "--nologo",
            "--convert-to", target.suffix[1:], "--outdir", str(folder), str(source),
        ]  # fmt: skip
        code = await self._run(command, folder, url)
        if not target.is_file():
            raise DocumentError(f"{url} could not be converted by LibreOffice (exit code {code})")
        if target.stat().st_size > _MAX_OUTPUT:
            raise DocumentError(f"{url} is too large after its conversion by LibreOffice")
        return target.read_bytes()

    async def _run(self, command: list[str], folder: Path, url: str) -> int:
        env = {"PATH": os.defpath, "HOME": str(folder), "LANG": "C.UTF-8"}
        try:
            process = await anyio.open_process(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=env,
                cwd=folder,
                start_new_session=True,
            )
        except OSError as error:
            raise DocumentError(f"LibreOffice could not be started: {error}") from error
        try:
            _limit(process.pid, self._seconds)
            with anyio.fail_after(self._seconds):
                return await process.wait()
        except TimeoutError as error:
            raise ReaderCrashError(
                f"Converting {url} took longer than {self._seconds:g} seconds"
            ) from error
        finally:
            with anyio.CancelScope(shield=True):
                await _end(process)


def _limit(pid: int, seconds: float) -> None:
    """Limit CPU time and the size of files, where the system lets one limit a running process."""
    set_limit = getattr(_resource, "prlimit", None)
    if set_limit is None:
        return
    try:
        set_limit(pid, _resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))
        set_limit(pid, _resource.RLIMIT_FSIZE, (_MAX_OUTPUT, _MAX_OUTPUT))
    except ProcessLookupError:  # it has ended already
        return


async def _end(process: Process) -> None:
    """Kill the program and those that it started: the office itself is one of them."""
    if sys.platform == "win32":
        if process.returncode is None:
            process.kill()
    else:
        # all of them may have ended
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    await process.wait()
