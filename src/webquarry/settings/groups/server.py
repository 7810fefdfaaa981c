"""Where the server listens, what it offers and where it keeps its files."""

from dataclasses import field
from pathlib import Path
from typing import Annotated

from webquarry.settings.groups.group import SettingsGroup
from webquarry.settings.value_types import ORIGIN, PATH, duration, many, matching, size, whole
from webquarry.settings.variable import Variable

_HOST = matching(r"[A-Za-z0-9._:%\[\]-]{1,255}", "a host name or address")
_TOOLSET = matching(r"[a-z][a-z0-9_-]{0,63}", "the name of a toolset")
_USER = matching(
    r"(?!anonymous$)[A-Za-z0-9._@-]{1,128}", "1 to 128 of A-Z a-z 0-9 . _ @ -, not 'anonymous'"
)


def _data_dir() -> Path:
    # imported here because most starts name the directory, and --help never needs it
    from platformdirs import user_data_path

    return user_data_path("webquarry", appauthor=False)


class ServerSettings(SettingsGroup):
    """The server itself."""

    config: Annotated[
        Path | None,
        Variable(
            "WEBQUARRY_CONFIG",
            "Settings file to read instead of webquarry.toml in the working directory.",
            PATH,
            in_file=False,
        ),
    ] = None
    host: Annotated[
        str,
        # not HOST: shells and build machines set that to the name of the machine
        Variable("WEBQUARRY_HOST", "Address the HTTP server listens on; 0.0.0.0 for all.", _HOST),
    ] = "127.0.0.1"
    port: Annotated[
        int, Variable("PORT", "Port of the HTTP server; 0 takes any free one.", whole(0, 65535))
    ] = 8642
    toolsets: Annotated[
        tuple[str, ...],
        Variable("TOOLSETS", "Toolsets to offer; `all` offers everything.", many(_TOOLSET)),
    ] = ("default",)
    data_dir: Annotated[
        Path,
        Variable(
            "WEBQUARRY_DATA_DIR",
            "Directory of the cache, the index, jobs and keys.",
            PATH,
            default_text="the user data directory of the platform",
        ),
    ] = field(default_factory=_data_dir)
    allowed_origins: Annotated[
        tuple[str, ...],
        Variable(
            "ALLOWED_ORIGINS", "Web origins whose scripts may call the HTTP server.", many(ORIGIN)
        ),
    ] = ()
    allowed_hosts: Annotated[
        tuple[str, ...],
        Variable(
            "ALLOWED_HOSTS",
            "Host headers to accept besides the loopback names, like research.example.org.",
            many(_HOST),
        ),
    ] = ()
    max_request_body_bytes: Annotated[
        int,
        Variable("MAX_REQUEST_BODY_BYTES", "Largest HTTP request body.", size(2**10, 2**30)),
    ] = 10 * 2**20
    http_shutdown_timeout: Annotated[
        float,
        Variable(
            "HTTP_SHUTDOWN_TIMEOUT",
            "How long running requests may finish when the server stops.",
            duration("0s", "10m"),
        ),
    ] = 30.0
    stdio_user_id: Annotated[
        str,
        Variable("STDIO_USER_ID", "Whom the calls over stdio belong to; empty for nobody.", _USER),
    ] = ""
