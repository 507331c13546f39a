#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/site.sh        (through ./dev bench site)
# The site is made (./dev site: every link leads somewhere) and its search is asked in a browser, from files, as a reader without a server
# would: each question has to find the page that answers it, and that page has to be there.
set -euo pipefail
cd "$(dirname "$0")/.."

./dev site
browser=$(command -v chromium || command -v chromium-browser) || { echo "site: there is no chromium" >&2 && exit 2; }
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT
failed=0

# The pages that the search finds, in its order.
found() { # QUESTION, with + between words
    timeout 60 "$browser" --headless=new --no-sandbox --disable-gpu --no-first-run --user-data-dir="$profile" --virtual-time-budget=5000 \
        --dump-dom "file://$PWD/build/site/site/search.html?q=$1" 2>/dev/null | grep -o '<article>.*' | grep -o 'href="[^"#]*' | sed 's/^href="[./]*//' | uniq
}

ask() { # QUESTION PAGE
    local pages
    pages=$(found "$1") || true
    if [ -e "build/site/site/$2" ] && grep -qxF "$2" < <(head -n 3 <<<"$pages"); then
        echo "ok      $1: $(wc -l <<<"$pages") pages, $2 among the first three"
    else
        echo "FAILED  $1: $2 is not among the first three of"
        printf '%s\n' "${pages:-none}" | head -n 5 | sed 's/^/          /'
        failed=1
    fi
}

ask 'mpirun' docs/clusters.html
ask 'jepsen' docs/formats.html
ask 'memory+orders' docs/orders.html
ask 'exit+codes' docs/errors.html
ask 'inconclusive' docs/limits.html
ask 'plumb_add_test' docs/building.html
ask 'sandbox' SECURITY.html
[ -z "$(found 'qwertyuiop')" ] || { echo "FAILED  a word that no page has was found" && failed=1; }
exit $failed
