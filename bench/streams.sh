#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Memory of endless streams: bench/streams.sh [SECONDS [SPEC[:ITEMS]...]]. A heartbeat a tenth of the time; memory has to
# stay flat. With ITEMS a container always holds that many, and so is never empty.
set -u
plumb=$(cd "$(dirname "$0")/.." && pwd)/build/bin/plumb
seconds=${1:-60}
shift $(($# > 0))
[ $# -gt 0 ] || set -- map queue queue:100 stack:100
for row in "$@"; do
    spec=${row%:*}
    inside=()
    [ "$row" = "$spec" ] || inside=(--inside "${row#*:}")
    echo "$row, $seconds s"
    "$plumb" generate "$spec" --stream --ops 0 --threads 4 "${inside[@]}" 2>/dev/null |
        "$plumb" monitor --spec "$spec" --time "$seconds" --heartbeat "$(((seconds + 9) / 10))" - 2>&1
done
