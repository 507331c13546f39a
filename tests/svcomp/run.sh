#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: run.sh [--every N] [-k TEXT] PLUMB
# Checks tasks in SV-COMP's form, and compares each answer with what the task expects; "# plumb: unknown" behind an
# expected verdict means that the tool is to say so.
#   --every N  only one of N tasks
#   -k TEXT    only those whose path contains TEXT
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
every=1 filter=''
while [ $# -gt 1 ]; do
    case $1 in
    --every) every=$2 ;;
    -k) filter=$2 ;;
    *) break ;;
    esac
    shift 2
done
[ $# -eq 1 ] && [ -x "$1" ] || { sed -n '3s/^# //p' "${BASH_SOURCE[0]}" >&2 && exit 2; }
plumb=$(readlink -f "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0 count=0 number=0

# A line for each property: "no-data-race: true"
expected() { # TASK
    awk '/property_file:/ { sub(".*/", ""); sub(/\.prp.*/, ""); name = $0; next }
         /expected_verdict:/ { answer = $2; if (/# plumb: unknown/) answer = "unknown"; names[++n] = name; answers[n] = answer; part[n] = name }
         /subproperty:/ { part[n] = $2 }
         END { for (k = 1; k <= n; k++) print names[k] ": " (answers[k] == "false" ? "false(" part[k] ")" : answers[k]) }' "$1"
}

for task in "$here"/*/*.yml; do
    [[ $task == *"$filter"* ]] && [ $((number++ % every)) -eq 0 ] || continue
    "$plumb" check "$task" --quiet --time 60 >out.txt 2>err.txt
    expected "$task" >wanted.txt
    sed "s|^$task: ||; s/ (.*//" out.txt >answers.txt
    count=$((count + 1))
    if ! cmp -s wanted.txt answers.txt || grep -q 'the task expects' out.txt; then
        echo "FAILED ${task#"$here"/}"
        diff wanted.txt answers.txt
        cat out.txt err.txt
        failed=$((failed + 1))
    fi
done
# A witness: well formed, from the entry to the violation, of this very program, the same each time.
check_witness() {
    local task=$here/racy/counter.yml
    export SOURCE_DATE_EPOCH=0
    "$plumb" check "$task" --quiet --witness a.graphml >/dev/null 2>&1
    "$plumb" check "$task" --quiet --witness b.graphml >/dev/null 2>&1
    cmp a.graphml b.graphml && python3 - "$here/racy/counter.c" a.graphml <<'END'
import hashlib, sys, xml.etree.ElementTree as tree
name = "{http://graphml.graphdrawing.org/xmlns}"
root = tree.parse(sys.argv[2]).getroot()
graph = root.find(name + "graph")
types = {k.get("id"): (k.get("for"), k.get("attr.type")) for k in root.findall(name + "key")}
assert types["entry"] == types["violation"] == ("node", "boolean") and types["startline"] == ("edge", "int"), types
assert all(d.get("key") in types for d in root.iter(name + "data"))
data = {d.get("key"): d.text for d in graph.findall(name + "data")}
assert data["programhash"] == hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest(), data
assert data["witness-type"] == "violation_witness" and data["architecture"] == "32bit", data
assert data["specification"] == "CHECK( init(main()), LTL(G ! data-race) )", data
steps = {e.get("source"): (e.get("target"), {d.get("key"): d.text for d in e}) for e in graph.findall(name + "edge")}
marks = {n.get("id"): [d.get("key") for d in n] for n in graph.findall(name + "node")}
at, created, threads = next(n for n in marks if "entry" in marks[n]), set(), {}
while at in steps:
    at, step = steps[at]
    created |= {step["createThread"]} if "createThread" in step else set()
    assert step["threadId"] in created, step
    entered = threads.setdefault(step["threadId"], step.get("enterFunction"))
    assert entered == ("main" if step["threadId"] == "0" else "add"), step
assert "violation" in marks[at] and len(threads) == 3, (marks, threads)
END
}
if [ -z "$filter" ]; then
    check_witness || { echo "FAILED the witness" && failed=$((failed + 1)); }
fi
echo "$count tasks, $failed failed"
[ "$failed" -eq 0 ] && [ "$count" -gt 0 ]
