#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/release.sh [--source|--packages] [--built] [--keep]        (through ./dev bench release)
# Plumbline as strangers meet it, in a fresh Debian 12 (debootstrap; packages come from where apt of this machine finds them), as root.
#   --packages  built (./dev package), installed where there is a compiler, tried there, purged; and built again by another user in another
#               folder, time zone and locale, with the same bytes; with --built those that are in build/packages
#   --source    a clone of what is committed, where there is nothing but git: `./dev demo` and `./dev test`, as README.md says, with their times
# Without one of these: both. --keep leaves the folders of the new systems.
set -euo pipefail
cd "$(dirname "$0")/.."

[ "$(id -u)" -eq 0 ] || { echo "release: debootstrap needs root" >&2 && exit 2; }
command -v debootstrap >/dev/null || { echo "release: debootstrap is missing" >&2 && exit 2; }
keep='' built='' source=1 packages=1 system=''
for option in "$@"; do
    case $option in
    --keep) keep=1 ;;
    --built) built=1 ;;
    --source) packages='' ;;
    --packages) source='' ;;
    *) sed -n '3,8s/^# //p' bench/release.sh >&2 && exit 2 ;;
    esac
done

# The first place for bookworm that apt knows.
mirror() {
    apt-get indextargets --format '$(SITE) $(CODENAME)' 'Created-By: Packages' 2>/dev/null |
        awk '$2 == "bookworm" { print $1; exit }'
}

step() { # WHAT COMMAND...
    printf '%-52s' "$1"
    shift
    local log=build/release-step.log status begin=$SECONDS
    set +e
    (set -e; "$@") >"$log" 2>&1 # not as a condition, in which errors would not end a function
    status=$?
    set -e
    if [ $status -eq 0 ]; then
        echo "ok, $((SECONDS - begin)) s"
    else
        echo "FAILED, $((SECONDS - begin)) s"
        tail -n 30 "$log"
        exit 1
    fi
}

inside() {
    chroot "$system" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C DEBIAN_FRONTEND=noninteractive "$@"
}

# ---- systems

# As a container has them. /dev has the files that debootstrap makes.
mount_kernel() {
    mount -t proc proc "$system/proc"
    mount -t sysfs -o ro sysfs "$system/sys"
    mount -t tmpfs -o mode=1777 tmpfs "$system/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=0666 devpts "$system/dev/pts"
}

unmount_kernel() {
    local folder
    for folder in dev/pts dev/shm sys proc; do
        umount "$system/$folder" 2>/dev/null || true
    done
}

make_system() { # PACKAGE,...
    unmount_kernel
    rm -rf --one-file-system "$system"
    debootstrap --variant=minbase --include="$1" bookworm "$system" "$(mirror)"
    cp /etc/apt/apt.conf.d/* "$system/etc/apt/apt.conf.d/" 2>/dev/null || true
    mount_kernel
    inside apt-get update
}

remove_system() {
    [ -n "$system" ] || return 0
    unmount_kernel
    [ -n "$keep" ] || rm -rf --one-file-system "$system"
}

# ---- packages

files_of() { # every file and folder of the system, but logs and caches
    (cd "$system" && find . -xdev \( -path ./proc -o -path ./var/cache -o -path ./var/lib/apt -o -path ./var/log -o -path ./var/lib/dpkg \) -prune -o -print | sort)
}

make_system_of_users() {
    # The compiler comes with the new system, so that purging the packages has to leave just what was there.
    make_system gcc,libc6-dev,g++
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

# As a build that has nothing in common with the first one but the sources.
build_again() {
    local elsewhere=$PWD/build/release-elsewhere tree=$PWD/build/release-elsewhere/sources/of/another/user
    rm -rf "$elsewhere"
    git clone -q . "$tree"
    git ls-files -z | xargs -0 cp --parents -t "$tree" # with what is not committed
    chown -R nobody "$elsewhere"
    (cd "$tree" && umask 077 && runuser -u nobody -- env -i PATH="$PATH" HOME="$elsewhere" TZ=Pacific/Kiritimati LC_ALL=C.UTF-8 LANG=tr_TR.UTF-8 \
        DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-}" packaging/package.sh --no-lintian)
    mv "$tree/build/packages" build/packages-again
    rm -rf "$elsewhere"
}

# Which files of two packages differ?
compare_packages() {
    local package other status=0
    for package in build/packages/*.deb; do
        other=build/packages-again/${package##*/}
        cmp "$package" "$other" && continue
        status=1
        rm -rf build/packages-differ
        mkdir build/packages-differ
        dpkg-deb -R "$package" build/packages-differ/one
        dpkg-deb -R "$other" build/packages-differ/two
        diff -rq build/packages-differ/one build/packages-differ/two || true
        diff <(dpkg-deb -c "$package") <(dpkg-deb -c "$other") || true
    done
    return $status
}

try_packages() {
    system=$PWD/build/release-system
    [ -n "$built" ] || step "packages are built, lintian has nothing to say" ./dev package
    step "a fresh system with a compiler" make_system_of_users
    files_of >build/release-before.txt
    step "packages are installed" install_packages
    step "the first example: a bug is found" try_first
    step "a program with libplumb-monitor, manual pages" try_consumer
    step "packages are purged" purge_packages
    files_of >build/release-after.txt
    step "nothing is left" diff build/release-before.txt build/release-after.txt
    remove_system
    rm -rf build/packages-again
    step "packages are built again, elsewhere" build_again
    step "they are the same, bit for bit" compare_packages
}

# ---- the source

dev() { # ARGUMENTS of ./dev
    inside sh -c 'cd /plumbline && exec ./dev "$@"' - "$@"
}

# What ./dev says when it is started without /proc, before it has installed anything.
try_without_proc() {
    umount "$system/proc"
    ! dev demo >build/release-said.txt 2>&1
    mount -t proc proc "$system/proc"
    grep '/proc is not mounted' build/release-said.txt
}

try_source() {
    system=$PWD/build/fresh-system
    step "a fresh system with git" make_system git,ca-certificates
    step "a clone of the repository" git clone --no-hardlinks . "$system/plumbline"
    step "without /proc, it says so" try_without_proc
    step "./dev demo: packages and a first build, a bug" dev demo
    step "./dev demo: again" dev demo
    step "./dev test" dev test
    grep -E '^== |^   |passed, ' build/release-step.log # what was skipped, and why
    remove_system
}

trap remove_system EXIT
[ -z "$packages" ] || try_packages
[ -z "$source" ] || try_source
