#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: consumers.sh ROOT BUILD
# The tool installed in a folder with a space in its name, and moved: all headers are there, those without a suffix as well (they replace
# headers of libstdc++), projects find it with CMake and pkg-config, and nothing is left when it is uninstalled.
set -euo pipefail

root=$(cd "$1" && pwd) build=$(cd "$2" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
quietly() {
    "$@" >"$work/log" 2>&1 || { cat "$work/log" && exit 1; }
}

quietly cmake -DCMAKE_INSTALL_PREFIX="$work/first place" -P "$build/cmake_install.cmake"
mv "$work/first place" "$work/a place"
prefix="$work/a place"
diff <(cd "$root/include" && find . -type f | sort) <(cd "$prefix/include" && find . -type f | sort)
for file in share/bash-completion/completions/plumb share/zsh/site-functions/_plumb share/fish/vendor_completions.d/plumb.fish \
    share/man/man1/plumb-check.1; do
    [ -s "$prefix/$file" ] || { echo "no $file" && exit 1; }
done

mkdir "$work/project"
cd "$work/project"
quietly cmake -DCMAKE_PREFIX_PATH="$prefix" "$root/tests/install/consumer"
quietly cmake --build .
quietly ctest --output-on-failure
./watch | grep -q '^violated after'
./recorded run.bin >/dev/null
"$prefix/bin/plumb" monitor -q run.bin | grep -q holds

# The recipes of examples/ci.
mkdir "$work/recipes"
cd "$work/recipes"
cp "$root/examples/harness/locked_queue.c" queue_harness.c
cp "$root/examples/ci/"{Makefile,CMakeLists.txt} .
sed -i 's/--time [0-9]*/--time 2/' Makefile CMakeLists.txt
quietly make PLUMB="'$prefix/bin/plumb'" check stress
[ -s plumb.xml ] && [ -s plumb.sarif ]
quietly cmake -DCMAKE_PREFIX_PATH="$prefix" -B built .
quietly ctest --test-dir built --output-on-failure

# A program built by its own makefile, with arguments; the recorded execution has them, too.
mkdir "$work/made"
cd "$work/made"
cat >app.c <<'END'
#include <assert.h>
#include <string.h>
int main(int count, char **words) { assert(count < 3 || strcmp(words[2], "b c") != 0); }
END
PATH=$prefix/bin:$PATH quietly make CC=plumb-cc app
"$prefix/bin/plumb" check -q ./app -- a b | grep -q holds
{ "$prefix/bin/plumb" check -q ./app -- a 'b c' || true; } | grep -q violated
{ "$prefix/bin/plumb" replay app.plr || true; } | grep 'assertion failed' >/dev/null

# What pkg-config prints is quoted for a shell, as docs/building.md says: the prefix has a space.
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
eval "cc -w '$root/examples/embed/watch_queue.c' $(pkg-config --cflags --libs plumb-monitor) -Wl,-rpath,'$prefix/lib' -o with_pkg_config"
./with_pkg_config | grep -q '^violated after'
eval "cc -w '$root/examples/record/two_lock_queue.c' $(pkg-config --cflags --libs plumb-record) -o recorded_with_pkg_config"

sed "s|/first place/|/a place/|" "$build/install_manifest.txt" >"$work/manifest"
quietly cmake -DMANIFEST="$work/manifest" -P "$root/packaging/uninstall.cmake"
[ ! -e "$prefix" ] || { find "$prefix" && exit 1; }
echo "installed, moved, used by CMake and pkg-config, uninstalled"
