#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: bench/start.sh [FOLDER]        (through ./dev bench start -- FOLDER)
# What a check of a small program costs before and beside its executions: user + system milliseconds of compiling, linking
# and running, for programs in C and C++ and both compilers; the least of five runs. FOLDER: another version, built, to
# compare with.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
exec python3 - "$PWD" "$@" <<'PYTHON'
import glob, os, resource, subprocess, sys, tempfile

C = sorted(glob.glob("tests/programs/right/spin/*.c"))[:5] + sorted(glob.glob("tests/programs/right/pthread/*.c"))[:5]
CXX = sorted(glob.glob("tests/programs/right/cpp/*.cpp"))[:10]
TREES = list(dict.fromkeys(os.path.abspath(tree) for tree in sys.argv[2:] + [sys.argv[1]]))


def cost(command, environment):
    """User and system milliseconds of a command and its children; None: it does not work."""
    least = None
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode not in (0, 3):
            return None
        spent = (1000 * (after.ru_utime - before.ru_utime), 1000 * (after.ru_stime - before.ru_stime))
        least = spent if least is None else min(least, spent, key=sum)
    return least


def costs(tree, source, compiler, folder):
    cxx = source.endswith(".cpp")
    name = "plumb-c++" if cxx else "plumb-cc"
    wrapper = next(path for path in (f"{tree}/build/bin/{name}", f"{tree}/tools/{name}") if os.path.exists(path))
    environment = dict(os.environ, PLUMB_CC=compiler, PLUMB_CXX={"gcc": "g++", "clang": "clang++"}[compiler])
    flags = ["-std=c++20"] if cxx else []
    steps = [[wrapper, *flags, "-c", source, "-o", f"{folder}/x.o"], [wrapper, f"{folder}/x.o", "-o", f"{folder}/x"],
             [f"{tree}/build/bin/plumb", "check", f"{folder}/x", "--time", "5"],
             [f"{tree}/build/bin/plumb", "check", source, "--time", "5", "--", *flags]]
    found = [cost(step, environment) for step in steps]
    return None if None in found else found


print(f"{'':32}{'compile':>14}{'link':>14}{'run':>14}{'check':>14}   milliseconds, user + system, mean")
for name, sources in (("C", C), ("C++", CXX)):
    for compiler in ("gcc", "clang"):
        for tree in TREES:
            with tempfile.TemporaryDirectory() as folder:
                rows = [row for row in (costs(tree, source, compiler, folder) for source in sources) if row]
            means = [[sum(part) / len(rows) for part in zip(*column)] for column in zip(*rows)]
            what = f"{len(rows)} files of {name}, {compiler}, {'this' if tree == TREES[-1] else 'other'}"
            print(f"{what:32}" + "".join(f"{user:7.1f} + {system:4.1f}" for user, system in means), flush=True)
PYTHON
