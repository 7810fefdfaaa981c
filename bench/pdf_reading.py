"""Reads the PDFs of a folder with one reader; a script, because peers have their own Python."""

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any


def main() -> None:
    """Write the Markdown of each PDF as JSON."""
    name, folder, scorers, output = sys.argv[1], *map(Path, sys.argv[2:5])
    sys.dont_write_bytecode = True
    sys.path[0] = str(scorers)
    readers: Any = import_module("readers")
    texts: dict[str, str] = {}
    with readers.reader(name, folder) as read:
        if read is None:
            sys.exit(1)
        for pdf in sorted(folder.glob("*.pdf")):
            try:
                texts[pdf.name] = read(pdf)
            # a peer may raise anything; it counts as no text
            except Exception as error:  # noqa: BLE001
                print(f"{name} {pdf.name}: {error!r:.100}", file=sys.stderr)
    output.write_text(json.dumps(texts), encoding="utf-8")


if __name__ == "__main__":
    main()
