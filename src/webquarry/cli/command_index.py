"""The commands there are. Only this is read for `--help`; a command is imported when it runs."""

from dataclasses import dataclass

USAGE = "Usage: webquarry [OPTIONS] COMMAND [ARGS]..."
PROMISE = "Search, read, crawl, extract and verify the web, with evidence."


@dataclass(frozen=True)
class CommandEntry:
    """A command, the module of this package that has it, and what it does."""

    name: str
    module: str
    what: str


SECTIONS: dict[str, tuple[CommandEntry, ...]] = {
    "Find": (
        CommandEntry("search", "commands", "Search the web."),
        CommandEntry("news", "commands", "Search recent news."),
        CommandEntry("images", "commands", "Search pictures."),
        CommandEntry("papers", "commands", "Search scholarly papers."),
        CommandEntry("patents", "commands", "Search patents."),
        CommandEntry("filings", "commands", "Search what US companies filed with the SEC."),
        CommandEntry("cases", "commands", "Search opinions of US courts."),
        CommandEntry("econ", "commands", "Find economic series, and plot one."),
        CommandEntry("trials", "commands", "Search clinical trials."),
        CommandEntry("index", "index_command", "Search the pages you have read or crawled."),
    ),
    "Read": (
        CommandEntry("read", "commands", "Read a page, PDF, video or thread as Markdown."),
        CommandEntry("research", "commands", "Search, read the results and combine what they say."),
        CommandEntry(
            "extract", "extract_command", "Get chosen fields of pages as data, with quotes."
        ),
        CommandEntry("brand", "commands", "Look up a company's colours, logos, fonts and tone."),
        CommandEntry("crawl", "crawl_command", "Crawl a website and watch it."),
        CommandEntry("session", "session_command", "List, show or export research sessions."),
    ),
    "Check": (
        CommandEntry("verify", "commands", "Check that a citation exists and still stands."),
        CommandEntry(
            "audit", "audit_command", "Check every reference of a .bib, .ris or CSL-JSON file."
        ),
        CommandEntry("cite", "cite_command", "Write references for pages, DOIs or a file of them."),
        CommandEntry("archive", "commands", "Save a page in the Wayback Machine."),
        CommandEntry("quote", "quote_command", "Check that a source still says what was quoted."),
    ),
    "Serve": (
        CommandEntry("install", "install_command", "Set up Claude, Cursor, VS Code or Windsurf."),
        CommandEntry("serve", "serve_command", "Start the server, over stdio or HTTP."),
        CommandEntry("worker", "serve_command", "Work on crawls that several servers share."),
        CommandEntry("keys", "keys_command", "Make, list and revoke API keys."),
    ),
    "Look": (
        CommandEntry(
            "demo", "demo_command", "See it at work on a sample web, offline and without keys."
        ),
        CommandEntry("doctor", "info_commands", "Check that everything works, and say what to do."),
        CommandEntry(
            "providers", "info_commands", "Show who can be asked, and which keys are missing."
        ),
        CommandEntry("tools", "info_commands", "List the tools, and what they cost in context."),
        CommandEntry("config", "info_commands", "Show the settings and where each comes from."),
        CommandEntry("call", "info_commands", "Call any tool by its name."),
        CommandEntry("completion", "completion_command", "Complete with TAB in bash, zsh or fish."),
    ),
}
ENTRIES = {entry.name: entry for entries in SECTIONS.values() for entry in entries}
OPTIONS = (
    ("--version", "Print the version."),
    ("-v, --verbose", "Tell more; twice: everything."),
    ("--install-completion", "Complete commands in this shell."),
    ("--show-completion", "Print what --install-completion adds."),
    ("-h, --help", "Show this; after a command: what it takes."),
)
_LAST = """\
Try:
  webquarry search solar cell efficiency record
  webquarry read https://en.wikipedia.org/wiki/Solar_cell
  webquarry install claude-code

Exit status: 0 well, 1 failed or refuted, 2 wrong usage or settings, 3 could not be checked.
"""


def help_text() -> str:
    """Return what `webquarry --help` prints."""
    lines = [USAGE, "", PROMISE, ""]
    for section, entries in SECTIONS.items():
        lines += [f"{section}:", *(f"  {e.name:<11}{e.what}" for e in entries), ""]
    lines += ["Options:", *(f"  {name:<22}{what}" for name, what in OPTIONS), "", _LAST]
    return "\n".join(lines)
