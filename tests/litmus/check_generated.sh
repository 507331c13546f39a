#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: check_generated.sh PYTHON
# The files below this folder are exactly what generate.py writes.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$1" "$here/generate.py" "$scratch"
diff -r --exclude=generate.py --exclude=check_generated.sh "$scratch" "$here"
