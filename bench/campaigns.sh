#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/campaigns.sh [FACTOR [SEED]]        (through ./dev bench campaigns -- FACTOR SEED)
# The random tests of `./dev test` with FACTOR times (10) as many cases, and from another SEED (1).
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
factor=${1:-10} seed=${2:-1}
[[ $factor =~ ^[1-9][0-9]*$ && $seed =~ ^[0-9]+$ ]] || { sed -n '3,4s/^# //p' bench/campaigns.sh >&2 && exit 2; }

failed=0
run() { # PROGRAM COUNT [OPTIONS...]
    local program=$1 count=$(($2 * factor))
    shift 2
    echo "== $program --count $count --seed $seed $*"
    "build/release/tests/$program" --count "$count" --seed "$seed" "$@" || failed=1
}
run exactness 100 --interleavings 100000
run exactness 20 --interleavings 100000 --fold 1
run random_programs 1600
run random_programs 2000 --sharing
run random_programs 800 --alike
run random_programs 350 --mixed --budget 40000
run random_programs 300 --sequences --budget 1500
run random_programs 100 --sequences --mixed --budget 1500
run loop_programs 2000
run progress_programs 2000
run judge_sketches 4000
run ordering 1200
run sync_rules 12000
run midsize 200
run appends_histories 72000
run stream_compare 2000
run quasi_histories 300
run refine_compare 40
run differential 200000
echo "== plain_parts.py"
python3 tests/scripts/plain_parts.py --count $((100 * factor)) --seed "$seed" build/bin/plumb || failed=1
echo "== annotated_steps.py"
python3 tests/scripts/annotated_steps.py --count $((100 * factor)) --seed "$seed" build/bin/plumb || failed=1
echo "== folding"
bash tests/scripts/folding.sh --count $((30 * factor)) --seed "$seed" build/bin/plumb || failed=1
bash tests/scripts/folding.sh --count $((30 * factor)) --seed "$seed" --symmetry build/bin/plumb || failed=1
for cc in gcc clang; do
    python3 tests/scripts/folding_verdicts.py --zoo --cc $cc build/bin/plumb || failed=1
    python3 tests/scripts/folding_verdicts.py --harness --count $((100 * factor)) --seed "$seed" --cc $cc build/bin/plumb || failed=1
done
echo "== loops.py"
for flags in -O1 -O2; do
    python3 tests/scripts/loops.py --count $((30 * factor)) --seed "$seed" --flags=$flags build/bin/plumb build/release/tests/loop_truth || failed=1
done
python3 tests/scripts/loops.py --progress --count $((30 * factor)) --seed "$seed" build/bin/plumb build/release/tests/loop_truth || failed=1
python3 tests/scripts/loops.py --count $((30 * factor)) --seed "$((seed + 1))" --cc clang build/bin/plumb build/release/tests/loop_truth || failed=1
echo "== orders.py"
python3 tests/scripts/prove_mutants.py --count $((40 * factor)) --seed "$seed" build/bin/plumb || failed=1
python3 tests/scripts/prove_random.py --count $((100 * factor)) --seed "$seed" build/bin/plumb || failed=1
python3 tests/scripts/prove_random.py --tso --count $((100 * factor)) --seed "$seed" build/bin/plumb || failed=1
python3 tests/scripts/orders.py build/bin/plumb || failed=1
python3 tests/scripts/orders.py --random "$factor" --seed "$seed" build/bin/plumb || failed=1
echo "== replays"
bash tests/scripts/replays.sh --seeds 2 --binaries build/release/tests/programs build/bin/plumb || failed=1
echo "== count_histories"
bash tests/scripts/count_histories.sh --all build/bin/plumb || failed=1
echo "== orders_repairs.py"
python3 tests/scripts/orders_repairs.py build/bin/plumb || failed=1
exit $failed
