#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: stress.sh PLUMB
# `plumb stress` on harnesses that are right, and wrong in every way: verdicts, exit codes, what is printed and written. Nothing depends on how fast the machine is.
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
plumb=$(readlink -f "${1:-}")
[ -x "$plumb" ] || { echo "usage: stress.sh PLUMB" >&2 && exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cp "$root"/tests/stress/* "$root"/examples/specs/two_accounts.c "$root"/examples/specs/account.c "$work"
cd "$work" || exit 2
checks=0 failures=0

complain() {
    failures=$((failures + 1))
    echo "FAILED $*"
    head -n 20 out
}

# CODE TEXT COMMAND...: the exit code, and a text (extended regular expression) in what is printed.
expect() {
    local code=$1 text=$2 got=0
    shift 2
    checks=$((checks + 1))
    timeout 60 "$plumb" "$@" >out 2>&1 || got=$?
    [ $got -eq "$code" ] && grep -qE -- "$text" out && return
    complain "plumb $*: exit code $got instead of $code, or no '$text'"
}

# TEXT...: the last command printed these, too.
also() {
    local text
    for text in "$@"; do
        checks=$((checks + 1))
        grep -qE -- "$text" out || complain "no '$text'"
    done
}

# Right ones. A round begins with what the program begins with, also without a set-up.
expect 0 '^counter_right.c: survived \(16 rounds, [0-9,]+ operations, ' stress counter_right.c --rounds 16
also 'stamps: '
expect 0 'survived \(12 rounds' stress roles.c --rounds 12 --record all.bin
also 'note: 2 threads run, one for each role'
expect 0 'all.bin: holds' monitor --spec queue all.bin
expect 0 'survived \(9 rounds' stress texts.cpp --rounds 9 --record all.jsonl
expect 0 'all.jsonl: holds' monitor all.jsonl
expect 0 'survived \(1 round, ' stress roles.c --ops 20000 --rounds 1
expect 0 'survived \(2 rounds, ' stress roles.c --ops 5 --rounds 2 --quasi 2
# Strings are kept as long as a round is followed: another one begins, in time or after the history was given up.
expect 0 'survived' stress texts.cpp --ops 0 --time 1 --memory-limit 2M --hang 1
expect 3 'was not decided: memory limit met' stress texts.cpp --ops 0 --time 1 --memory-limit 100K --hang 1
expect 0 'survived' stress two_accounts.c --spec account.c --rounds 3 -- -DFIXED
expect 0 'by the clock only' stress roles.c --ops 1 --threads 2 --rounds 1 --stamps raw

expect 0 'answers? (is|are) not known \(too long' stress long_answers.c --rounds 2 --ops 10

# A history that no order explains is kept, and shown again by the command that is printed.
expect 1 '^counter_wrong.c: violated$' stress counter_wrong.c --ops 200 --rounds 50 --json out.json --html out.html --junit out.xml --sarif out.sarif
also 'error: not linearizable: .* \[PL0201\]' 'replay: plumb monitor --spec counter counter_wrong.stress.jsonl' 'round [0-9]+ with seed 1' \
    '^  explored under tso: ' '^  as a test: plumb check counter_wrong.c --test .* --memory tso'
expect 1 'counter_wrong.stress.jsonl: violated' monitor --spec counter counter_wrong.stress.jsonl
checks=$((checks + 1))
python3 - <<'P' || complain 'the JSON document'
import json, os
d = json.load(open('out.json'))
assert d['command'] == 'stress' and d['verdict'] == 'violated' and d['error'] == 'not-linearizable'
assert d['found_in']['history'] == 'counter_wrong.stress.jsonl' and d['counterexample']['ops'] and d['stats']['seconds'] > 0
assert d['handover']['memory'] == 'tso' and d['handover']['counterexample']['execution'] and d['handover']['shrunk'] in (True, False)
assert all(os.path.getsize(f) for f in ('out.html', 'out.xml', 'out.sarif'))
P
expect 1 'delete_min\(\) = .* is impossible' stress priorities.cpp --rounds 50 --no-handover
expect 0 'note: no long rounds' stress priorities.cpp --rounds 50 -- -DFIXED
expect 1 'violated' stress two_accounts.c --spec account.c --ops 500 --rounds 200 --mix 'deposit=1,withdraw=3' --no-handover
also 'plumb monitor --spec account.c two_accounts.stress.jsonl'

# A long history is kept in the binary format.
expect 1 '^very_late.c: error: not linearizable: get' stress very_late.c --ops 4000000 --rounds 1 --threads 2 --no-handover
also 'the history was not kept as a whole: [0-9,]+ operations before these are missing'
expect 1 '^late.c: violated$' stress late.c --ops 200000 --rounds 1 --no-handover --out kept
also 'replay: plumb monitor --spec counter kept/late.stress.bin'
expect 1 'late.stress.bin: violated' monitor --spec counter kept/late.stress.bin

# What is not about a history.
expect 1 'error: crash: SIGSEGV' stress crash.c --rounds 5 --json out.json --no-handover
also 'it happened in deq\(\) of thread' 'read_through at crash.c:23' 'round 1 with seed 1'
expect 1 'error: the program ended itself with exit code 3' stress exits.c --rounds 5 --no-handover
also 'in read\(\) of thread' 'the register is worn out'
expect 1 'error: hang: no call returned' stress hang.c --rounds 20 --hang 0.5 --no-handover
also 'open: acquire\(\)' 'acquire at hang.c'
expect 1 'cycle.c: violated' stress cycle.c --rounds 1 --no-handover
expect 1 'cycle.c: violated' stress cycle.c --ops 20000 --rounds 1 --mix push=1 --no-handover
expect 1 'error: the invariant does not hold' stress invariant.c --rounds 5 --no-handover
expect 3 'what round 1 recorded makes no sense' stress overwrites.c --rounds 5 --hang 2

# Of a sanitizer the report is shown; rounds and threads of the tool are none of it.
if echo 'int main(void) { return 0; }' | cc -fsanitize=thread -x c - -o tsan 2>/dev/null && ./tsan; then
    expect 1 'the program ended itself with exit code 66' stress race.c --rounds 5 -- -fsanitize=thread
    also 'it happened in add' 'ThreadSanitizer: data race .*race.c:24'
    expect 0 'survived' stress race.c --rounds 3 --threads 3 -- -fsanitize=thread -DFIXED
fi

# Waiting that is allowed: such calls are left out, or the round is given up.
expect 0 'note: acquire is not called' stress waits.c --rounds 5
expect 3 'no round came to its end: in every one all calls waited, and may' stress waits.c --rounds 1 --ops 4 --hang 0.3 --mix acquire=1
expect 3 'no specification says if acquire\(\) may wait' stress waits.c --rounds 1 --ops 4 --hang 0.3 --mix acquire=1 -- -DUNNAMED
expect 3 'no round came to its end' stress stuck.c --rounds 1 --ops 20 --hang 0.3 --mix acquire=1,get=5 -- -DFIXED
expect 1 'not linearizable: get\(\) = 1 is impossible' stress stuck.c --rounds 1 --ops 20 --hang 0.3 --mix acquire=1,get=5 --no-handover

# Mistakes.
expect 2 "counter has no operation 'enq'" stress roles.c --spec counter
expect 2 "'enqueue' is no operation" stress roles.c --mix enqueue=1
expect 2 'the harness has 2 roles' stress roles.c --threads 1
expect 2 'unknown specification' stress roles.c --spec queu
expect 4 'the harness does not build' stress roles.c -- -include nothing.h
expect 2 'missing.c' stress missing.c
expect 2 'this is a program already' stress "$plumb"
expect 2 "cannot write 'all.bin/x'" stress roles.c --record all.bin/x
[ ! -w /dev/full ] || expect 2 '/dev/full is incomplete' stress roles.c --rounds 20 --record /dev/full
expect 2 '--ops 0 has no end' stress roles.c --quasi 1 --ops 0

# Ctrl-C: the verdict so far, if there is one already.
checks=$((checks + 1))
env --default-signal=INT "$plumb" stress roles.c --ops 0 >out 2>&1 &
pid=$!
sleep 2
kill -INT $pid
status=0
wait $pid || status=$?
case $status in
0) grep -q 'survived .*interrupted' out || complain 'Ctrl-C' ;;
3 | 130) ;; # it had not come to its first round
*) complain "Ctrl-C: exit code $status" ;;
esac

echo "$checks checks, $failures failures"
[ $failures -eq 0 ]
