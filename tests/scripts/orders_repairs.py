#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Repairs of structures that were broken on purpose: orders_repairs.py [--every N] [-k TEXT] [--table F] PLUMB_BINARY

The structures of examples/orders get the weakest orders that `plumb orders` finds for their tests; the patched source has to hold. Then
one or two of the orders that are needed become weaker, in the source. The repair that is found has to make all tests hold, by its patch and
a new build, and is never larger than the damage."""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zlib

WEAKER = {"seq_cst": {"load": "acquire", "CAS failure": "acquire", "store": "release"},
          "acq_rel": "release", "acquire": "relaxed", "release": "relaxed"}
SINGLES, PAIRS = 3, 1

options = argparse.ArgumentParser()
options.add_argument("--every", type=int, default=1)
options.add_argument("-k", default="")
options.add_argument("--table")
options.add_argument("plumb")
options = options.parse_args()
plumb = os.path.realpath(options.plumb)
examples = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "examples", "orders")
failures = []
rows = []


def complain(what):
    failures.append(what)
    print("FAILED", what)


def run(*words):
    return subprocess.run([plumb, *words], capture_output=True, text=True)


def orders(source, tests, flags):
    words = [word for test in tests for word in ("--test", test)]
    done = run("orders", source, *words, "--json", "answer.json", "--patch", "answer.diff", "--", "-w", *flags)
    if done.returncode not in (0, 1):
        complain(f"{source}: exit {done.returncode}: {done.stdout}{done.stderr}")
        return None
    with open("answer.json", encoding="utf-8") as file:
        return json.load(file)


def apply(source, into):
    """The source with the last patch."""
    os.makedirs("work", exist_ok=True)
    shutil.copy(source, os.path.join("work", source))
    done = subprocess.run(["git", "apply", os.path.abspath("answer.diff")], cwd="work", capture_output=True, text=True)
    if done.returncode:
        complain(f"{source}: git apply: {done.stderr}")
        return False
    shutil.move(os.path.join("work", source), into)
    return True


def holds(source, tests, flags):
    return all(run("check", source, "--test", test, "-q", "--no-repair", "--trace", "t.plr", "--", "-w", *flags).returncode == 0
               for test in tests)


def next_weaker(site, order):
    step = WEAKER.get(order)
    if isinstance(step, dict):
        step = step.get(site["access"], "acq_rel")
    return step


def end_of_call(text, start):
    """Where the parentheses of the call that begins there are closed."""
    depth = 0
    for at in range(text.index("(", start), len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return at
    return len(text)


def weaken(text, site, order):
    """Replaces the literal order of one site; the failure order of a comparison is its last one. None: it has no literal."""
    lines = text.splitlines(keepends=True)
    # arguments may stand on the lines that follow
    start = sum(len(line) for line in lines[:site["line"] - 1]) + site.get("column", 1) - 1
    found = list(re.finditer(r"memory_order_\w+", text[start:end_of_call(text, start)]))
    if site["access"].startswith("CAS"):
        found = found[-2:] if len(found) >= 2 else []
        found = found[1:] if site["access"] == "CAS failure" else found[:1]
    if not found:
        return None
    match = found[0]
    return text[:start + match.start()] + f"memory_order_{order}" + text[start + match.end():]


def damages(answer):
    """Lists of (site, weaker order): each site alone, then pairs."""
    needed = [(site, next_weaker(site, site["order"])) for site in answer["sites"]
              if site["executed"] and site["order"] not in ("relaxed", "variable")]
    singles = [[one] for one in needed]
    step = max(1, len(singles) // SINGLES)
    pairs = [[a, b] for a, b in zip(needed, needed[len(needed) // 2:]) if a is not b]
    return singles[::step][:SINGLES] + pairs[:PAIRS]


def try_damage(name, source, tests, flags, damage):
    with open(source, encoding="utf-8") as file:
        text = file.read()
    for site, order in damage:
        text = text and weaken(text, site, order)
    if not text:
        return
    with open("broken.c", "w", encoding="utf-8") as file:
        file.write(text)
    what = ", ".join(f"{site['line']} {site['order']} -> {order}" for site, order in damage)
    answer = orders("broken.c", tests, flags)
    if not answer:
        return
    if answer["verdict"] != "violated":
        complain(f"{name}: {what}: {answer['verdict']}")
        return
    changes = answer["repair"]["changes"]
    if answer["repair"]["answer"] != "found" or not 0 < len(changes) <= len(damage):
        complain(f"{name}: {what}: repair {answer['repair']}")
        return
    if not apply("broken.c", "repaired.c") or not holds("repaired.c", tests, flags):
        complain(f"{name}: {what}: the repair {changes} does not hold")
    repair = ", ".join(f"{change['site'].split(':', 1)[1]} {change['from']} -> {change['to']}" for change in changes)
    rows.append(f"{name}\t{what}\t{answer['as_written']['error']}\t{repair}\t{answer['variants']}")


def try_structure(name, source, flags, tests):
    shutil.copy(os.path.join(examples, source), "structure.c")
    answer = orders("structure.c", tests, flags)
    if not answer:
        return
    if answer["verdict"] != "holds":
        complain(f"{name}: {answer['verdict']} {answer['limits']}")
        return
    if not apply("structure.c", "weakest.c") or not holds("weakest.c", tests, flags):
        complain(f"{name}: the weakest orders, in the source, do not hold")
        return
    answer = orders("weakest.c", tests, flags)
    if not answer or any(site.get("together", site["order"]) != site["order"] for site in answer["sites"]):
        complain(f"{name}: the weakest orders can be weaker")
        return
    for damage in damages(answer):
        try_damage(name, "weakest.c", tests, flags, damage)


def main():
    structures = []
    with open(os.path.join(examples, "LIST"), encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                name, source, flags, tests = line.rstrip("\n").split("\t")
                if options.k in name:
                    structures.append((name, source, [] if flags == "-" else flags.split(), [t.strip() for t in tests.split(";")]))
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        for structure in [s for s in structures if zlib.crc32(s[0].encode()) % options.every == 0] or structures[:1]:
            try_structure(*structure)
        os.chdir("/")
    print("structure\tdamage\terror\trepair\tvariants")
    print("\n".join(rows))
    if options.table:
        with open(options.table, "w", encoding="utf-8") as file:
            file.write("\n".join(rows) + "\n")
    print(f"{len(rows)} broken programs repaired, {len(failures)} failures")
    sys.exit(1 if failures or not rows else 0)


main()
