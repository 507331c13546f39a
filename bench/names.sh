#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/names.sh [--every N] [--results FILE]        (through ./dev bench names)
# Programs that define each name of the C library, once as a variable and once as a function: do answers stay what they are?
set -euo pipefail
cd "$(dirname "$0")/.."
exec bash tests/scripts/own_names.sh "$@" build/bin/plumb
