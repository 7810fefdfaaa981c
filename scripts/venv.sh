#!/bin/sh
# Creates the virtual environment. On Debian, Python's venv module is a separate package.
set -eu
python=$1 venv=$2
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "Webquarry needs Python 3.11 or newer; $python is $("$python" --version 2>&1)." >&2
    echo "Set PYTHON=/path/to/python3.11, e.g. make run PYTHON=python3.12" >&2
    exit 1
}
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get update -qq && apt-get install -y -qq python3-venv >/dev/null
    else
        echo "Python's venv module is missing: run 'sudo apt-get install python3-venv'." >&2
        exit 1
    fi
fi
"$python" -m venv "$venv"
# venv installs setuptools, which is not needed and slows down every start of Python
"$venv/bin/pip" uninstall -q -y --disable-pip-version-check setuptools >/dev/null 2>&1 || true
