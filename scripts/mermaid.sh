#!/bin/sh
# Puts Mermaid beside the documentation, so that its pages need nobody else to draw diagrams.
# Without npm there is none, and the pages show the diagrams as text.
set -eu
place=$1
[ -s "$place" ] && exit 0
if ! command -v npm >/dev/null; then
    echo "npm is missing: diagrams stay text" >&2
    exit 0
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if (cd "$scratch" && npm pack --silent mermaid@11 >/dev/null && tar -xzf mermaid-*.tgz package/dist/mermaid.min.js); then
    mkdir -p "$(dirname "$place")"
    mv "$scratch/package/dist/mermaid.min.js" "$place"
else
    echo "Mermaid could not be fetched: diagrams stay text" >&2
fi
