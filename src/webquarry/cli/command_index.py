"""The list of commands. `--help` needs only this; a command's module is imported when it runs."""

USAGE = "Usage: webquarry [OPTIONS] COMMAND [ARGS]..."
TAGLINE = "Search, read, crawl, extract and verify the web, with evidence."
# what each command does, by section of the help and name
SECTIONS = {
    "Search": {
        "search": "Search the web.",
        "news": "Search recent news.",
        "images": "Search images.",
        "papers": "Search scholarly papers.",
        "patents": "Search patents.",
        "filings": "Search SEC filings of US companies.",
        "cases": "Search US court opinions.",
        "econ": "Find and plot economic time series.",
        "trials": "Search clinical trials.",
        "index": "Search the pages you have read or crawled.",
    },
    "Read": {
        "read": "Read a page, PDF, video or thread, or a list of URLs, as Markdown.",
        "shot": "Take a screenshot of a page, or compare two.",
        "answer": "Answer a question, with sources.",
        "research": "Search, read the results and combine them.",
        "extract": "Extract chosen fields of pages as data, with quotes.",
        "brand": "Look up a company's colours, logos, fonts and tone of voice.",
        "map": "List the URLs of a website.",
        "crawl": "Crawl a website into a folder, or show its pages.",
        "watch": "Watch pages, sites, searches or references for changes.",
        "login": "Sign in to a site, and read its pages as you see them.",
        "session": "List, show or export research sessions.",
    },
    "Check": {
        "verify": "Check that a citation exists and is not retracted.",
        "check": "Check every claim and reference of a document.",
        "audit": "Check every reference of a .bib, .ris or CSL-JSON file.",
        "zotero": "Check a Zotero library, or add sources to it.",
        "cite": "Format references for pages, DOIs or bibliography files.",
        "archive": "Save a page in the Wayback Machine.",
        "quote": "Check that a source still contains a quotation.",
        "bundle": "Write, verify or open a file with the evidence.",
    },
    "Serve": {
        "install": "Set up Claude, Cursor, VS Code or another MCP client.",
        "serve": "Start the server, over stdio or HTTP.",
        "worker": "Run crawls that several servers share.",
        "keys": "Create, list and revoke API keys.",
    },
    "Explore": {
        "demo": "Watch it work on a sample web, offline and without keys.",
        "doctor": "Check the installation and suggest fixes.",
        "providers": "List the providers and which keys are missing.",
        "tools": "List the tools and their cost in context tokens.",
        "config": "Show the settings and where each comes from.",
        "call": "Call any tool by its name.",
        "help": "Show the help of a command.",
        "completion": "Set up TAB completion for bash, zsh or fish.",
    },
}
SUMMARIES = {name: text for commands in SECTIONS.values() for name, text in commands.items()}
TOOL_COMMANDS = "webquarry.cli.commands"
# the module of each command that is not in `TOOL_COMMANDS`
MODULES = {
    "index": "webquarry.cli.index_command",
    "extract": "webquarry.cli.extract_command",
    "read": "webquarry.cli.read_command",
    "shot": "webquarry.cli.shot_command",
    "crawl": "webquarry.cli.crawl_command",
    "session": "webquarry.cli.session_command",
    "audit": "webquarry.cli.audit_command",
    "check": "webquarry.cli.check_command",
    "zotero": "webquarry.cli.zotero_command",
    "cite": "webquarry.cli.cite_command",
    "quote": "webquarry.cli.quote_command",
    "bundle": "webquarry.cli.bundle_command",
    "watch": "webquarry.cli.watch_command",
    "install": "webquarry.cli.install_command",
    "keys": "webquarry.cli.keys_command",
    "login": "webquarry.cli.login_command",
    "demo": "webquarry_demo.demo_command",
    "completion": "webquarry.cli.completion_command",
    **dict.fromkeys(("serve", "worker"), "webquarry.cli.serve_command"),
    **dict.fromkeys(
        ("doctor", "providers", "tools", "config", "call", "help"), "webquarry.cli.info_commands"
    ),
}
OPTIONS = (
    ("--version", "Print the version."),
    ("-v, --verbose", "Show which provider answered (-vv: full log)."),
    ("--env-file FILE", "Read settings from this file, also after a command."),
    ("--offline FILE", "Answer from an evidence bundle instead of the network."),
    ("--install-completion", "Set up TAB completion for this shell."),
    ("--show-completion", "Print the script that --install-completion installs."),
    ("-h, --help", "Show this help; after a command, the help of that command."),
)
_EXAMPLES_AND_EXIT_CODES = """\
Try:
  webquarry search solar cell efficiency record
  webquarry read en.wikipedia.org/wiki/Solar_cell > page.md
  webquarry install claude-code

Exit codes: 0 success, 1 failed or evidence found against a source, 2 bad usage or settings,
3 could not check, 130 stopped with Ctrl-C.
"""


def help_text() -> str:
    """Return what `webquarry --help` prints."""
    lines = [USAGE, "", TAGLINE, ""]
    for section, commands in SECTIONS.items():
        lines += [f"{section}:", *(f"  {name:<11}{text}" for name, text in commands.items()), ""]
    lines += ["Options:", *(f"  {name:<22}{text}" for name, text in OPTIONS), ""]
    return "\n".join([*lines, _EXAMPLES_AND_EXIT_CODES])
