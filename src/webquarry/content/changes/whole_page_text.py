"""All visible text of a page, in and outside of its main content."""

from webquarry.content.html.charset import decode_page
from webquarry.content.html.dom import is_block_tag, parse_page, tag_of, text_parts
from webquarry.content.visibility.hidden_text import remove_hidden

MAX_CHARS = 400_000


def page_text(content: bytes, *, content_type: str | None = None) -> str:
    """Return the visible text of an HTML page, one line for each block.

    The main content of two versions of a page may be chosen differently. This text tells what was
    on the page all the time.
    """
    root, _ = parse_page(decode_page(content, content_type))
    if root is None:
        return ""
    remove_hidden(root)
    for element in root.iter():
        tag = tag_of(element)
        if tag == "br" or is_block_tag(tag):
            element.text = f"\n{element.text or ''}"
            element.tail = f"\n{element.tail or ''}"
    lines = (" ".join(line.split()) for line in "".join(text_parts(root)).split("\n"))
    return "\n".join(line for line in lines if line)[:MAX_CHARS]
