#!/bin/sh
# Installs the programs that tests use, given as command:package. It never fails: without root or
# without the package, the tests that need the program are skipped.
set -u
missing=
for pair in "$@"; do
    command -v "${pair%%:*}" >/dev/null || missing="$missing ${pair##*:}"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "Not installed:$missing; tests that need them will skip." >&2
    exit 0
fi
echo "Installing$missing …"
# Prevent the packages from starting their services.
if [ ! -e /usr/sbin/policy-rc.d ]; then
    printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d && chmod +x /usr/sbin/policy-rc.d
    trap 'rm -f /usr/sbin/policy-rc.d' EXIT
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq >/dev/null 2>&1 || true
# shellcheck disable=SC2086
apt-get install -y -qq --no-install-recommends $missing >/dev/null 2>&1 ||
    echo "Could not install$missing; tests that need them will skip." >&2
exit 0
