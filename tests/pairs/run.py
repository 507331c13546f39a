#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pairs of programs for what a checker overlooks most easily: is each wrong one found, and each right one held?
  run.py [--cc clang|gcc|gcc-11|...] [-k TEXT] [--every N] [--jobs N] [--table] [--results FILE] [-v] PLUMB
  run.py --write FOLDER [-k TEXT]      writes the programs: wrong with -DBUG, right without

The wrong one has to be violated, or its verdict has to name what was not examined there; the right one has to hold. known.txt lists, by
compiler, the pairs that are answered in another way today: one whose wrong program is found has to leave the list. Where the compiler's hooks do
not show what is wrong, the list has a word of CLASSES, and the line of the verdict has to name that class.
  --every N   only one of N pairs of each group, about, and at least one
  --table     for each group: pairs, wrong ones that hold and whose class the line names, those whose class it does not name, right ones that do not
Exit code: 0 all as expected, 1 some not."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zlib

sys.dont_write_bytecode = True  # the source tree is left as it is
import accesses  # noqa: E402
import bounds  # noqa: E402
import definedness  # noqa: E402
import layout  # noqa: E402
import lifetimes  # noqa: E402
import objects  # noqa: E402
import outside  # noqa: E402

GROUPS = [g for m in (lifetimes, bounds, definedness, accesses, outside, objects, layout) for g in m.groups]
# What the line of the verdict says, by the word of known.txt.
CLASSES = {
    "lifetimes": "bounds and lifetimes of variables",
    "bounds": "bounds and lifetimes of variables",
    "uninitialised": "uninitialised memory",
    "folded": "folded expressions",
    "structures": "structures by value or overlapping",
    "intrinsics": "intrinsics",
    "members": "pointers to members",
    "unwritten": "reads memory that was never written",
}
HERE = pathlib.Path(__file__).parent


def parse_options():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--cc", default="clang")
    parser.add_argument("-k", default="")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--results")
    parser.add_argument("--write")
    parser.add_argument("-v", action="store_true")
    parser.add_argument("plumb", nargs="?")
    return parser.parse_args()


def choose(pairs, every):
    """One of `every` pairs by their names, so that new pairs change nothing for the others."""
    codes = {p: zlib.crc32(p.name.encode()) for p in pairs}
    return [p for p in pairs if codes[p] % every == 0] or [min(pairs, key=codes.get)]


def write_program(pair, folder):
    path = pathlib.Path(folder) / f"{pair.name}.{pair.extension}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(pair.text)
    return path


def answer(plumb, path, flags, folder):
    """Verdict, error, and the first line that says it."""
    report = path.with_name(path.stem + ".json")
    command = [plumb, "check", "--memory", "rc11", "--time", "60", "--json", str(report), str(path), "--", "-w", *flags]
    run = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    try:
        document = json.loads(report.read_text())
    except (OSError, ValueError):
        return "none", "", run.stdout
    report.unlink()
    document = document["results"][0] if "results" in document else document
    return document.get("verdict", "none"), document.get("error") or "", run.stdout


def check(plumb, pair):
    with tempfile.TemporaryDirectory() as folder:
        path = write_program(pair, folder)
        wrong, right = (answer(plumb, path, bug + pair.flags, folder) for bug in (["-DBUG"], []))
    return pair, wrong, right


def outcome(wrong, expected):
    """found; or the class that is expected, and named in the line; or holds, silently; or another verdict."""
    if wrong[0] != "holds":
        return "found" if wrong[0] == "violated" else wrong[0]
    line = next((line for line in wrong[2].splitlines() if ": holds (" in line), "")
    if "not examined" in re.sub("not examined with [^:]*:", "", line):
        return "found"
    return expected if CLASSES.get(expected, "\n") in line else "holds"


def read_known(family):
    """By name: what the wrong one is answered."""
    lines = (line.split("#")[0].split() for line in (HERE / "known.txt").read_text().splitlines())
    return {line[1]: line[2] for line in lines if line and line[0] == family}


def judge(pair, wrong, right, known, family):
    """What is not as expected: a sentence, and the output."""
    expected = known.get(pair.name, "found")
    found = outcome(wrong, expected)
    if right[0] != "holds" and (right[0], expected) != ("inconclusive", "inconclusive"):
        yield f"FAILED {pair.name}: the right one is {right[0]} {right[1]}", right[2]
    if found == "found" != expected:
        yield f"FAILED {pair.name}: the wrong one is found: its line in known.txt has to go", ""
    elif found != expected:
        yield f"FAILED {pair.name}: the wrong one is answered '{found}' with {family}", wrong[2]


def main():
    options = parse_options()
    chosen = [p for g in GROUPS for p in choose(g.pairs, options.every) if options.k in p.name]
    if options.write:
        for pair in chosen:
            write_program(pair, options.write)
        print(f"{len(chosen)} programs in {options.write}")
        return 0
    family = options.cc.split("-")[0]
    os.environ["PLUMB_CC"], os.environ["PLUMB_CXX"] = options.cc, options.cc.replace("gcc", "g++").replace("clang", "clang++")
    plumb, known, failed, results = str(pathlib.Path(options.plumb).resolve()), read_known(family), 0, []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(lambda pair: check(plumb, pair), chosen):
            results.append(result)
            pair, wrong, right = result
            complaints = list(judge(*result, known, family))
            failed += bool(complaints)
            for complaint, output in complaints:
                print(complaint, *("    " + line for line in output.splitlines()[:12]), sep="\n", flush=True)
            if options.v and not complaints:
                print(f"ok     {pair.name}: {wrong[0]} {wrong[1]}", flush=True)
    if options.results:
        with open(options.results, "w", encoding="utf-8") as file:
            for pair, wrong, right in results:
                print(pair.name, outcome(wrong, known.get(pair.name)) if wrong[0] == "holds" else wrong[0], wrong[1], right[0], right[1], sep="\t", file=file)
    if options.table:
        print(f"{'group':24} {'pairs':>6} {'wrong, named':>14} {'wrong, not named':>18} {'right ones that do not hold':>29}")
        for name in [g.name for g in GROUPS] + ["all"]:
            of = [r for r in results if name in (r[0].group, "all")]
            if of:
                found = [outcome(r[1], known.get(r[0].name)) for r in of]
                print(f"{name:24} {len(of):6} {sum(f in CLASSES for f in found):14} {found.count('holds'):18} {sum(r[2][0] != 'holds' for r in of):29}")
    listed = sum(r[0].name in known and outcome(r[1], known[r[0].name]) != "found" for r in results)
    print(f"pairs with {options.cc}: {len(chosen)} run, {failed} failed, {listed} known misses"
          + (f", {sum(len(g.pairs) for g in GROUPS) - len(chosen)} not in the sample" if options.every > 1 else ""))
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
