"""An article in JATS and a paper of arXiv, handwritten in the shapes of the sources."""

from pathlib import Path

_HERE = Path(__file__).parent
JATS = (_HERE / "owls.xml").read_bytes()
LATEXML = (_HERE / "owls.html").read_bytes()
