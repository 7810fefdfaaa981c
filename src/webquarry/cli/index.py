"""The commands there are. Only this is read for `--help`; a command is imported when it runs."""

from dataclasses import dataclass

USAGE = "Usage: webquarry [OPTIONS] COMMAND [ARGS]..."
PROMISE = "Search, read, crawl, extract and verify the web, with evidence."


@dataclass(frozen=True)
class Entry:
    """A command, the module of this package that has it, and what it does."""

    name: str
    module: str
    what: str


SECTIONS: dict[str, tuple[Entry, ...]] = {
    "Find": (
        Entry("search", "commands", "Search the web."),
        Entry("news", "commands", "Search recent news."),
        Entry("images", "commands", "Search pictures."),
        Entry("papers", "commands", "Search scholarly papers."),
        Entry("patents", "commands", "Search patents."),
        Entry("filings", "commands", "Search what US companies filed with the SEC."),
        Entry("cases", "commands", "Search opinions of US courts."),
        Entry("econ", "commands", "Find economic series, and plot one."),
        Entry("trials", "commands", "Search clinical trials."),
        Entry("index", "indexed", "Search the pages you have read or crawled."),
    ),
    "Read": (
        Entry("read", "commands", "Read a page, PDF, video or thread as Markdown."),
        Entry("research", "commands", "Search, read the results and combine what they say."),
        Entry("extract", "extracting", "Get chosen fields of pages as data, with quotes."),
        Entry("brand", "commands", "Look up a company's colours, logos, fonts and tone."),
        Entry("crawl", "crawling", "Crawl a website and watch it."),
        Entry("session", "sessions", "List, show or export research sessions."),
    ),
    "Check": (
        Entry("verify", "commands", "Check that a citation exists and still stands."),
        Entry("audit", "auditing", "Check every reference of a .bib, .ris or CSL-JSON file."),
        Entry("cite", "citing", "Write references for pages, DOIs or a file of them."),
        Entry("archive", "commands", "Save a page in the Wayback Machine."),
        Entry("quote", "quotes", "Check that a source still says what was quoted."),
    ),
    "Serve": (
        Entry("install", "installing", "Set up Claude, Cursor, VS Code or Windsurf."),
        Entry("serve", "starting", "Start the server, over stdio or HTTP."),
        Entry("worker", "starting", "Work on crawls that several servers share."),
        Entry("keys", "keys", "Make, list and revoke API keys."),
    ),
    "Look": (
        Entry("demo", "demoing", "See it at work on a sample web, offline and without keys."),
        Entry("doctor", "looking", "Check that everything works, and say what to do."),
        Entry("providers", "looking", "Show who can be asked, and which keys are missing."),
        Entry("tools", "looking", "List the tools, and what they cost in context."),
        Entry("config", "looking", "Show the settings and where each comes from."),
        Entry("call", "looking", "Call any tool by its name."),
        Entry("completion", "completion", "Complete with TAB in bash, zsh or fish."),
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
