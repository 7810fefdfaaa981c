#!/bin/sh
# Downloads the CSL test-suite (from Debian's source package of citeproc) and the CSL processor
# citeproc-js into a folder. It never fails: the benchmark says what is missing.
set -u
target=$1
mkdir -p "$target"
if [ ! -d "$target/cases" ] && command -v apt-get >/dev/null; then
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    mkdir -p "$scratch/lists/partial" "$scratch/archives/partial"
    # the machine's own sources, as sources of source packages; its package lists stay as they are
    sed -n 's/^Types:.*/Types: deb-src/; p' /etc/apt/sources.list.d/debian.sources >"$scratch/all.sources" 2>/dev/null
    sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >"$scratch/all.list" 2>/dev/null
    set -- -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$scratch" \
        -o Dir::State::lists="$scratch/lists" -o Dir::Cache="$scratch" -o APT::Sandbox::User=root
    (cd "$scratch" && apt-get "$@" update && apt-get "$@" source --download-only haskell-citeproc &&
        mkdir source && tar -xzf haskell-citeproc_*.orig.tar.gz -C source) >/dev/null 2>&1 &&
        mv "$scratch"/source/*/test/csl "$target/cases"
fi
[ -d "$target/cases" ] || echo "The CSL test-suite could not be downloaded." >&2
if [ ! -d "$target/node_modules/citeproc" ] && command -v npm >/dev/null; then
    npm install --silent --no-save --prefix "$target" citeproc@2.4.63 >/dev/null 2>&1
fi
[ -d "$target/node_modules/citeproc" ] || echo "citeproc-js could not be downloaded." >&2
exit 0
