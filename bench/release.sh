#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/release.sh [--keep]        (through ./dev bench release)
# The packages as a stranger meets them: built (./dev package), installed in a fresh Debian 12, tried there, purged. Needs root and
# debootstrap; packages come from where apt of this machine finds them. --keep leaves the folder of the new system.
set -euo pipefail
cd "$(dirname "$0")/.."

[ "$(id -u)" -eq 0 ] || { echo "release: debootstrap needs root" >&2 && exit 2; }
command -v debootstrap >/dev/null || { echo "release: debootstrap is missing" >&2 && exit 2; }
keep=${1:-}
system=$PWD/build/release-system

# The first place for bookworm that apt knows.
mirror() {
    apt-get indextargets --format '$(SITE) $(CODENAME)' 'Created-By: Packages' 2>/dev/null |
        awk '$2 == "bookworm" { print $1; exit }'
}

step() {
    printf '%-52s' "$1"
    shift
    local log=build/release-step.log status
    set +e
    (set -e; "$@") >"$log" 2>&1 # not as a condition, in which errors would not end a function
    status=$?
    set -e
    if [ $status -eq 0 ]; then
        echo ok
    else
        echo FAILED
        tail -n 30 "$log"
        exit 1
    fi
}

inside() {
    chroot "$system" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C DEBIAN_FRONTEND=noninteractive "$@"
}

end() {
    umount "$system/proc" 2>/dev/null || true
    [ "$keep" = --keep ] || rm -rf "$system"
}

files_of() { # every file and folder of the system, but logs and caches
    (cd "$system" && find . -xdev \( -path ./proc -o -path ./var/cache -o -path ./var/lib/apt -o -path ./var/log -o -path ./var/lib/dpkg \) -prune -o -print | sort)
}

make_system() {
    rm -rf "$system"
    # The compiler comes with the new system, so that purging the packages has to leave just what was there.
    debootstrap --variant=minbase --include=gcc,libc6-dev,g++ bookworm "$system" "$(mirror)"
    cp /etc/apt/apt.conf.d/* "$system/etc/apt/apt.conf.d/" 2>/dev/null || true
    mount -t proc proc "$system/proc"
    inside apt-get update
    # What the packages depend on, but not the packages.
    mkdir -p "$system/packages"
    cp build/packages/*.deb "$system/packages/"
    inside sh -c 'apt-get install -y --no-install-recommends $(dpkg-deb -f /packages/plumbline_*.deb Depends | tr "," "\n" | sed "s/ *(.*//; s/|.*//" | grep -v libplumb-dev) $(dpkg-deb -f /packages/libplumb-dev_*.deb Depends | tr "," "\n" | sed "s/ *(.*//; s/|.*//")'
}

install_packages() {
    inside sh -c 'apt-get install -y --no-install-recommends /packages/*.deb'
}

# The first thing that README shows: a queue with a bug, found.
try_first() {
    local status=0
    inside sh -c 'cp -r /usr/share/doc/plumbline/examples/first /tmp/first && find /tmp/first -name "*.gz" -exec gunzip {} +'
    inside sh -c 'cd /tmp/first && plumb auto *.c -q' || status=$?
    [ "$status" -eq 1 ] # violated
    inside sh -c 'cd / && rm -rf /tmp/first && ls -A /tmp'
}

try_consumer() {
    printf '#include <plumb/monitor.h>\nint main(void) { return 0; }\n' >"$system/tmp/a.c"
    inside sh -c 'cd /tmp && cc a.c -lplumb-monitor -o a && ./a && rm -f a a.c'
    inside sh -c 'ls /usr/share/man/man1/plumb-check.1* && plumb --version'
}

purge_packages() {
    inside sh -c 'apt-get purge -y plumbline libplumb-dev plumbline-doc'
}

trap end EXIT
step "packages are built, lintian has nothing to say" ./dev package
step "a fresh system" make_system
files_of >build/release-before.txt
step "packages are installed" install_packages
step "the first example: a bug is found" try_first
step "a program with libplumb-monitor, manual pages" try_consumer
step "packages are purged" purge_packages
files_of >build/release-after.txt
step "nothing is left" diff build/release-before.txt build/release-after.txt
