#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/mutations.sh [OPTIONS]        (through ./dev bench mutations -- OPTIONS)
# All deliberate bugs of tests/mutations.txt, of which `./dev test` tries a sample. Options are those of tests/scripts/mutation.sh:
# --only TEXT, --jobs N, ...
set -euo pipefail
cd "$(dirname "$0")/.."
exec bash tests/scripts/mutation.sh "$@" build/release
