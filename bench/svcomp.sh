#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/svcomp.sh
# All tasks of tests/svcomp, in SV-COMP's form: is each answered as it expects?
set -euo pipefail
cd "$(dirname "$0")/.."
exec bash tests/svcomp/run.sh "$@" build/bin/plumb
