"""The server: listening address, toolsets and files."""

from dataclasses import field
from pathlib import Path

from webquarry.settings.groups.group import VARIABLE, SettingsGroup, flag, setting
from webquarry.settings.value_types import ORIGIN, PATH, duration, many, matching, size, whole
from webquarry.settings.variable import Variable

_HOST = matching(r"[A-Za-z0-9._:%\[\]-]{1,255}", "a host name or address")
_TOOLSET = matching(r"[a-z][a-z0-9_-]{0,63}", "the name of a toolset")
_USER = matching(
    r"(?!anonymous$)[A-Za-z0-9._@-]{1,128}", "1 to 128 of A-Z a-z 0-9 . _ @ -, not 'anonymous'"
)


def _data_dir() -> Path:
    # imported here: most servers set the directory, and --help never needs it
    from platformdirs import user_data_path

    return user_data_path("webquarry", appauthor=False)


class ServerSettings(SettingsGroup):
    """The server itself."""

    config: Path | None = setting(
        "WEBQUARRY_CONFIG",
        "Settings file to read instead of webquarry.toml in the working directory.",
        PATH,
        default=None,
        in_file=False,
    )
    env_file: Path | None = setting(
        "WEBQUARRY_ENV_FILE",
        "Env file to read instead of webquarry.env and .env in the working directory.",
        PATH,
        default=None,
        in_file=False,
    )
    # not HOST: shells and build machines set that to the name of the machine
    host: str = setting(
        "WEBQUARRY_HOST",
        "IP address or host name that the HTTP server listens on; 0.0.0.0 for all interfaces.",
        _HOST,
        default="127.0.0.1",
    )
    port: int = setting(
        "PORT", "Port of the HTTP server; 0 selects any free port.", whole(0, 65535), default=8642
    )
    toolsets: tuple[str, ...] = setting(
        "TOOLSETS",
        "Toolsets to offer; `all` offers everything.",
        many(_TOOLSET),
        default=("default",),
    )
    data_dir: Path = field(
        default_factory=_data_dir,
        metadata={
            VARIABLE: Variable(
                "WEBQUARRY_DATA_DIR",
                "Directory for the cache, the index, jobs and keys.",
                PATH,
                default_text="the user data directory of the platform",
            )
        },
    )
    allowed_origins: tuple[str, ...] = setting(
        "ALLOWED_ORIGINS",
        "Web origins whose scripts may call the HTTP server.",
        many(ORIGIN),
        default=(),
    )
    allowed_hosts: tuple[str, ...] = setting(
        "ALLOWED_HOSTS",
        "Host headers to accept besides the loopback names, such as research.example.org.",
        many(_HOST),
        default=(),
    )
    max_request_body_bytes: int = setting(
        "MAX_REQUEST_BODY_BYTES",
        "Largest HTTP request body.",
        size(2**10, 2**30),
        default=10 * 2**20,
    )
    max_upload_bytes: int = setting(
        "MAX_UPLOAD_BYTES",
        "Largest document that is sent: to be read, or to be checked (also as a file).",
        size(2**10, 2**30),
        default=25 * 2**20,
    )
    http_shutdown_timeout: float = setting(
        "HTTP_SHUTDOWN_TIMEOUT",
        "How long running requests may take to finish when the server stops.",
        duration("0s", "10m"),
        default=30.0,
    )
    front: bool = flag(
        "WEBQUARRY_FRONT",
        "Answer the first stdio requests from a snapshot while the server loads; off imports "
        "the MCP SDK unmodified.",
        default=True,
        in_file=False,  # read before any file
    )
    stdio_user_id: str = setting(
        "STDIO_USER_ID",
        "User that local calls belong to: stdio, command line and console; empty for `owner`.",
        _USER,
        default="",
    )
    single_user: bool = flag(
        "SINGLE_USER",
        "Without authentication on a loopback address, HTTP callers are the user of stdio and the "
        "command line; off keeps them apart, as `anonymous`.",
        default=True,
    )

    @property
    def local_user(self) -> str:
        """Return the user of stdio, the library and the command line."""
        return self.stdio_user_id or "owner"
