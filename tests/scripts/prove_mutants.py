#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: prove_mutants.py [--count N] [--seed S] [--only CASE] [-v] PLUMB [FILES]
Right harnesses of examples/prove, broken by machine: a statement is left out, two are swapped, a condition is negated, a number is another one, a compare and swap
becomes a look and a store. `plumb auto` (sc, small tests) decides each; what it finds violated, `plumb prove` must not call right. How many `plumb prove` alone
finds is counted. What it calls right has to be so with a step for every access (--no-merging), too."""
import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile

FILES = ["treiber_gc.c", "locked_queue.c", "mutex_ring.c", "two_lock_queue.c", "michael_scott.c", "spsc_ring.c", "lazy_set.c", "treiber_hazard.c",
         "blocking_queue.c", "../../tests/prove/event.c", "../../tests/prove/kept_lock.c"]


def code_lines(lines):
    """Lines of function bodies."""
    return [i for i, l in enumerate(lines) if re.match(r"^\s{4,}\S", l) and not l.strip().startswith(("//", "/*", "*"))]


def statements(lines):
    return [i for i in code_lines(lines) if lines[i].rstrip().endswith(";") and not re.search(r"\b(return|continue|break|struct|int|unsigned|for)\b", lines[i])]


def leave_out(r, lines):
    at = r.choice(statements(lines))
    lines[at] = re.match(r"\s*", lines[at]).group() + ";\n"


def swap(r, lines):
    pairs = [i for i in statements(lines) if i + 1 in statements(lines)]
    if pairs:
        at = r.choice(pairs)
        lines[at], lines[at + 1] = lines[at + 1], lines[at]


def negate(r, lines):
    places = [i for i in code_lines(lines) if re.search(r"\b(if|while) \(", lines[i])]
    if places:
        at = r.choice(places)
        lines[at] = re.sub(r"\b(if|while) \((.*)\)(.*)$", r"\1 (!(\2))\3", lines[at])


def other_number(r, lines):
    places = [i for i in code_lines(lines) if re.search(r"\b[0-9]\b", lines[i])]
    if places:
        at = r.choice(places)
        lines[at] = re.sub(r"\b([0-9])\b", lambda m: str(int(m.group(1)) + 1), lines[at], count=1)


def comparison(r, lines):
    places = [i for i in code_lines(lines) if re.search(r" (==|!=|<) ", lines[i])]
    if places:
        at = r.choice(places)
        lines[at] = re.sub(r" (==|!=|<) ", lambda m: {" == ": " != ", " != ": " == ", " < ": " <= "}[m.group()], lines[at], count=1)


def look_and_store(r, lines):
    places = [i for i in code_lines(lines) if "atomic_compare_exchange_strong(" in lines[i]]
    if places:
        at = r.choice(places)
        lines[at] = re.sub(r"atomic_compare_exchange_strong\((&[^,]+), &([^,]+), ", r"look_and_store(\1, &\2, ", lines[at], count=1)


MACRO = """
#define look_and_store(at, expected, new) \\
    ({ __typeof__(*(expected)) seen = atomic_load(at); bool same = seen == *(expected); \\
       if (same) atomic_store(at, new); else *(expected) = seen; same; })
"""


def make(folder, name, case, seed):
    r = random.Random(seed * 7919 + case)
    lines = open(os.path.join(folder, name)).readlines()
    before = list(lines)
    while lines == before:
        r.choice([leave_out, leave_out, swap, negate, other_number, comparison, look_and_store])(r, lines)
    changed = next(i for i in range(len(lines)) if lines[i] != before[i])
    last = max(i for i, l in enumerate(lines) if l.startswith("#include"))
    lines.insert(last + 1, MACRO)
    return "".join(lines), f"{name}:{changed + 1}: {before[changed].strip()} -> {lines[changed + 1].strip()}"


def verdict(command, path):
    try:
        os.remove(path)
    except OSError:
        pass
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 70:
        return "bug: " + done.stderr
    try:
        return json.load(open(path))["verdict"]
    except (OSError, ValueError):
        return "refused"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("-v", action="store_true")
    parser.add_argument("plumb")
    parser.add_argument("files", nargs="*")
    a = parser.parse_args()
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "prove")
    files = a.files or FILES
    counts, wrong = {}, 0
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "answer.json")
        for case in range(a.count) if a.only is None else [a.only]:
            text, what = make(folder, files[case % len(files)], case, a.seed)
            source = os.path.join(work, f"mutant{case}.c")
            with open(source, "w") as f:
                f.write(text)
            common = [source, "-q", "--json", path]
            proved = verdict([a.plumb, "prove", "--time", "10"] + common + ["--", "-w"], path)
            tried = verdict([a.plumb, "auto", "--memory", "sc", "--size", "2x2", "--time", "20", "--races", "allow", "--out", work] + common + ["--", "-w"], path)
            merged = proved == "holds" and verdict([a.plumb, "prove", "--time", "10", "--no-merging"] + common + ["--", "-w"], path) == "violated"
            bad = proved.startswith("bug") or merged or (tried == "violated" and proved == "holds")
            counts[(tried, proved)] = counts.get((tried, proved), 0) + 1
            wrong += bad
            if a.v or bad:
                print(f"{'WRONG ' if bad else ''}case {case}: auto {tried}, prove {proved}{', violated without merging' if merged else ''}; {what}", flush=True)
    for (tried, proved), count in sorted(counts.items()):
        print(f"auto {tried:14} prove {proved:14} {count}")
    print(f"{sum(counts.values())} mutants, {wrong} wrong")
    return 1 if wrong else 0


sys.exit(main())
