"""The scripts that run on pages."""

from functools import cache
from importlib.resources import files


@cache
def page_script(name: str) -> str:
    """Return a script, by the name of its file without the suffix.

    - wait_until_quiet: resolves when nothing has changed for some ms, or after the longest wait;
    - take_document: the current document, with the shadow roots of its components copied into it;
    - copy_document: the same of a page that is used further: it changes nothing.
    """
    return files("webquarry.reading.browser").joinpath(f"{name}.js").read_text("utf-8")
