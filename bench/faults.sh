#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/faults.sh [--most N] [--jobs N] [-k TEXT]       (through ./dev bench faults -- OPTIONS)
# Every system call of a run fails once, and every helper process dies once (tests/scripts/faults.sh): hours, without --most.
set -euo pipefail
cd "$(dirname "$0")/.."
exec tests/scripts/faults.sh "$@" build/release/tests/fault_injector build/bin/plumb
