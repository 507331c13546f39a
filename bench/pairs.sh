#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/pairs.sh [OPTIONS]        (through ./dev bench pairs -- OPTIONS)
# All pairs of tests/pairs, with both compilers: a table of the wrong programs that hold. Options of tests/pairs/run.py.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
failed=0
for cc in gcc clang; do
    python3 tests/pairs/run.py --cc "$cc" --jobs "$(nproc)" --table "$@" build/bin/plumb || failed=1
done
exit $failed
