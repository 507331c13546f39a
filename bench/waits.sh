#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/waits.sh [--count N] [--time S] [--seed S]        (through ./dev bench waits -- OPTIONS)
# Semaphores, latches, barriers and futures: random programs of two or three threads, compiled with our headers and with those of
# libstdc++ (-DPLUMB_LIBRARY_WAITS), have the same outcomes under sc, tso and rc11, but for deadlocks of the library (docs/errors.md).
# N programs (20), at most S seconds (5) for each exploration.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

count=20 seconds=5 seed=1
while [ $# -gt 0 ]; do
    case $1 in
    --count) count=$2 && shift 2 ;;
    --time) seconds=$2 && shift 2 ;;
    --seed) seed=$2 && shift 2 ;;
    *) sed -n '3,6s/^# //p' bench/waits.sh >&2 && exit 2 ;;
    esac
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
build/bin/plumb-c++ -std=c++20 -c bench/waits/interpreter.cpp -o "$work/ours.o"
build/bin/plumb-c++ -std=c++20 -DPLUMB_LIBRARY_WAITS -c bench/waits/interpreter.cpp -o "$work/library.o"
python3 bench/waits/waits.py "$PWD/build/bin/plumb" "$PWD/build/bin/plumb-c++" "$work" "$count" "$seconds" "$seed"
