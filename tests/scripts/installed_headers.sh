#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: installed_headers.sh ROOT BUILD
# All headers are installed, those without a suffix as well: they replace headers of libstdc++.
set -euo pipefail

root=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake -DCMAKE_INSTALL_PREFIX="$work" -P "$build/cmake_install.cmake" >"$work/log" 2>&1 || { cat "$work/log" && exit 1; }
diff <(cd "$root/include" && find . -type f | sort) <(cd "$work/include" && find . -type f | sort)
echo "headers: $(find "$work/include" -type f | wc -l) installed"
