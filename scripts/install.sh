#!/bin/bash
# Installs a lock file and this checkout into a virtual environment, and shows how far it is.
set -euo pipefail
bin=$1 lock=$2
total=$(grep -c '^[A-Za-z0-9._-]*==' "$lock")
echo "Installing Webquarry and the packages of $lock (up to $total) …"
"$bin/pip" install --disable-pip-version-check --progress-bar off -r "$lock" | awk -v total="$total" '
    /^Collecting / { printf "  %3d  %s\n", ++count, $2; fflush() }
    /^Installing collected packages/ { print "  unpacking " count " packages …"; fflush() }'
# what builds the package is not needed later
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
echo "Building Webquarry …"
"$bin/pip" install -q --disable-pip-version-check --no-deps --no-compile --target "$build" -r requirements-build.lock
PYTHONPATH=$build "$bin/pip" install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
echo "Installed in $SECONDS s."
