#!/bin/sh
# Downloads Mermaid, so that the documentation site loads no script from a third party.
# Without npm the pages show the diagrams as text.
set -eu
target=$1
[ -s "$target" ] && exit 0
if ! command -v npm >/dev/null; then
    echo "npm is not installed: diagrams are shown as text" >&2
    exit 0
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if (cd "$scratch" && npm pack --silent mermaid@11 >/dev/null && tar -xzf mermaid-*.tgz package/dist/mermaid.min.js); then
    mkdir -p "$(dirname "$target")"
    mv "$scratch/package/dist/mermaid.min.js" "$target"
else
    echo "Mermaid could not be downloaded: diagrams are shown as text" >&2
fi
