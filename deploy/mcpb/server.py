"""Starts the server of this bundle. uv has installed its dependencies."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "src"))

from webquarry.__main__ import main

if __name__ == "__main__":
    sys.argv[1:] = ["serve", "--stdio"]
    sys.exit(main())
