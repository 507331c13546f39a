#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: run.sh [--every N] [-k TEXT] [--list] [--share] PLUMB SCRATCH
# A race through every function of the table of library functions (races.c): found, and with a lock it is none.
# --list names the functions that are not called, and why; --share prints how many of the functions that the C library exports
# are in the table.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/support/skips.sh
source "$here/.."/support/skips.sh
every=1 filter='' share='' list=
while [[ ${1-} == -* ]]; do
    case $1 in
    --every) every=$2 && shift 2 ;;
    -k) filter=$2 && shift 2 ;;
    --share) share=1 && shift ;;
    --list) list=1 && shift ;;
    *) sed -n '3,6s/^# //p' "$0" >&2 && exit 2 ;;
    esac
done
plumb=$(realpath "$1") scratch=$2
tools=$here/../../build/bin
mkdir -p "$scratch"
binary=$scratch/library_races

build() {
    PLUMB_LIB_DIR=${plumb%/bin/*}/lib "$tools/plumb-cc" -w "-I$here/../../src" -D_GNU_SOURCE "$here/races.c" -o "$binary" -lm 2>/dev/null
}

check() { # CASE LOCKED: the verdict in $verdict
    local json
    json=$(cd "$scratch" && env CASE="$1" ${2:+LOCKED=1} timeout 60 "$plumb" check --mode random --runs 4 -q --json - "$binary" 2>&1 </dev/null)
    verdict=${json#*\"verdict\":\"} verdict=${verdict%%\"*}
    [[ $verdict != violated ]] || { verdict=${json#*\"error\":\"} && verdict=${verdict%%\"*}; }
}

# A new system may have no /etc/hosts: functions that look hosts up find none then, and write nothing.
knows_hosts() {
    getent hosts 127.0.0.1 >/dev/null
}

print_share() {
    local library exported known
    for library in libc.so.6 libm.so.6; do
        exported=$(nm -D --defined-only "$(gcc -print-file-name=$library)" | awk '$2 ~ /[TWi]/ { sub("@.*", "", $3); print $3 }' | sort -u)
        known=$(cat "$here"/../../src/rt/library/library_*.def | cpp -P -I"$here/../../src" -include features.h -D'F(n,i)=@n@' -D'H(n,i)=@n@' -D'P(n,i)=' -D'LOCALE=' -D'ENV=' - 2>/dev/null |
            grep -o '@[^@ ]*@' | tr -d @ | sort -u)
        echo "$library: $(comm -12 <(echo "$exported") <(echo "$known") | wc -l) of $(echo "$exported" | wc -l) exported names," \
            "$(comm -12 <(echo "$exported" | grep -v '^_') <(echo "$known") | wc -l) of $(echo "$exported" | grep -vc '^_') without underscore"
    done
}

[ -z "$share" ] || { print_share && exit; }
build || exit 1
declare -i number=0 tried=0 missed=0 wrong=0
declare -A reasons
while read -r name item; do
    number+=1
    [[ $name$item == *"$filter"* ]] || continue
    [ $((number % every)) -eq 0 ] || { skip "not in the sample" && continue; }
    [[ $name != gethost@(by|ent)* ]] || knows_hosts || { skip "no host has a name here" && continue; }
    [[ $item != not* ]] || { skip "cannot be called: ${item#not }" && reasons[${item#not }]+=" $name" && continue; }
    tried+=1
    check "$name:$item" ''
    [ "$verdict" = race ] || { missed+=1 && echo "not found: $name item $item ($verdict)"; }
    check "$name:$item" 1
    case $verdict in holds | survived) ;; *) wrong+=1 && echo "with a lock: $name item $item ($verdict)" ;; esac
done < <("$binary")
echo "$tried races through functions of the table: $((tried - missed)) found; with a lock $((tried - wrong)) hold"
summary "functions" $tried $((missed + wrong))
[ -z "$list" ] || for reason in "${!reasons[@]}"; do echo "not called ($reason):${reasons[$reason]}"; done
[ $missed -eq 0 ] && [ $wrong -eq 0 ]
