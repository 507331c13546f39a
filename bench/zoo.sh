#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/zoo.sh [OPTIONS]        (through ./dev bench zoo -- OPTIONS)
# All programs of tests/programs with both compilers, all executions under rc11 and sc, and races allowed; `./dev test` takes samples for
# all of these. Then all examples of Line-Up with clang, and those of Round-Up with --fold. Options are those of tests/programs/run.sh: -k TEXT, --jobs N, ...
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2

failed=0
run() { # OPTIONS OF ONE RUN... -- OPTIONS FOR ALL...
    local own=()
    while [ "$1" != -- ]; do own+=("$1") && shift; done
    shift
    echo "== ${own[*]}"
    bash tests/programs/run.sh "${own[@]}" --binaries build/release/tests/programs "$@" build/bin/plumb || failed=1
}
run --cc gcc -- "$@"
run --cc clang -- "$@"
for memory in rc11 sc; do
    run --cc gcc --memory "$memory" -- "$@"
done
run --cc clang --memory sc -- "$@"
run --cc gcc --memory rc11 --with --races=allow -- "$@"
bash tests/scripts/examples/examples_lineup.sh --cc clang build/bin/plumb || failed=1
bash tests/scripts/examples/examples_roundup.sh build/bin/plumb --fold || failed=1
exit $failed
