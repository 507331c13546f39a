#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Memory orders against brute force: orders.py [--every N] [-k TEXT] [--repairs N] [--random N] [--seed S] PLUMB_BINARY

The programs of tests/orders, C and C++, with a main or as harnesses that name a test, have at most four sites, whose orders are macros. Each assignment of orders is compiled and checked:
what `plumb orders` says without compiling has to agree. Alone, each site's weakest orders; together, an assignment that holds and in
which nothing can be weaker; of programs that are violated, as many as --repairs for each: a repair of the smallest size, no stronger
than need be. Patches are applied to the source and checked. --random: programs that are made at random, instead."""
import argparse
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import zlib

EFFECTS = {"relaxed": 0, "acquire": 1, "release": 2, "acq_rel": 3, "seq_cst": 7}
CHOICES = {"load": ["relaxed", "acquire", "seq_cst"], "CAS failure": ["relaxed", "acquire", "seq_cst"],
           "store": ["relaxed", "release", "seq_cst"], "update": list(EFFECTS), "CAS": list(EFFECTS),
           "fence": list(EFFECTS)}
KINDS = [("fence", "atomic_thread_fence"), ("CAS", "compare_exchange"), ("load", "atomic_load"),
         ("store", "atomic_store"), ("store", "flag_clear"), ("store", ".clear("), ("load", ".load("), ("store", ".store("),
         ("update", "atomic_"), ("update", ".exchange("), ("update", ".fetch_"), ("update", ".test_and_set(")]

options = argparse.ArgumentParser()
options.add_argument("--every", type=int, default=1)
options.add_argument("--repairs", type=int, default=4)
options.add_argument("-k", default="")
options.add_argument("--random", type=int, default=0)
options.add_argument("--seed", type=int, default=1)
options.add_argument("plumb")
options = options.parse_args()
plumb = os.path.realpath(options.plumb)
programs = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "orders")
failures = []
counts = {"programs": 0, "assignments": 0, "sites": 0, "repairs": 0, "patches": 0}


def complain(what):
    failures.append(what)
    print("FAILED", what)


def weaker(a, b):
    return a != b and EFFECTS[a] & ~EFFECTS[b] == 0


def sites_of(source):
    """(line, access, macro) of each site whose order is a macro."""
    found = []
    for number, line in enumerate(source.splitlines(), 1):
        match = re.search(r"\((.*)\)", line)
        kind = next((kind for kind, name in KINDS if name in line), None)
        if not match or not kind or line.startswith("#"):
            continue
        macros = re.findall(r"\b[A-D]\b", line)
        for at, macro in enumerate(macros):
            found.append((number, "CAS failure" if kind == "CAS" and at == 1 else kind, macro))
    return found


def flags(sites, assignment):
    return [f"-D{macro}=memory_order_{order}" for (_, _, macro), order in zip(sites, assignment)]


def check(name, compiler_flags, folder="."):
    run = subprocess.run([plumb, "check", os.path.join(folder, name), "-q", "--no-repair", "--trace", "t.plr", "--", "-w"] + compiler_flags,
                         capture_output=True, text=True)
    if run.returncode not in (0, 1):
        complain(f"{name} {compiler_flags}: {run.stdout}{run.stderr}")
    return run.returncode == 0


def ask(name, compiler_flags, patch):
    run = subprocess.run([plumb, "orders", name, "--json", "answer.json", "--patch", patch, "--", "-w"] + compiler_flags,
                         capture_output=True, text=True)
    if run.returncode not in (0, 1):
        complain(f"plumb orders {name} {compiler_flags}: exit {run.returncode} {run.stdout}{run.stderr}")
        return None
    with open("answer.json", encoding="utf-8") as file:
        return json.load(file)


def number_of(sites, site):
    return next((k for k, (line, access, _) in enumerate(sites) if (line, access) == (site["line"], site["access"])), None)


def minimal(orders):
    return {a for a in orders if not any(weaker(b, a) for b in orders)}


def compare_single(name, sites, table, answer):
    strongest = ("seq_cst",) * len(sites)
    for site in answer["sites"]:
        k = number_of(sites, site)
        if k is None:
            continue
        counts["sites"] += 1
        holding = {order for order in CHOICES[sites[k][1]] if table[strongest[:k] + (order,) + strongest[k + 1:]]}
        expected = minimal(holding)
        if not site["executed"]:
            if expected != {"relaxed"}:
                complain(f"{name}: {site['site']} is said not to be executed, and needs {expected}")
        elif set(site["weakest"]) != expected:
            complain(f"{name}: {site['site']}: {site['weakest']}, brute force says {sorted(expected)}")


def compare_joint(name, sites, table, answer):
    joint = ["seq_cst"] * len(sites)
    for site in answer["sites"]:
        k = number_of(sites, site)
        if k is not None and "together" in site:
            joint[k] = site["together"]
    if not table[tuple(joint)]:
        complain(f"{name}: together {joint} is violated")
    for k, (_, access, _) in enumerate(sites):
        for order in CHOICES[access]:
            executed = any(number_of(sites, s) == k and s["executed"] for s in answer["sites"])
            if executed and weaker(order, joint[k]) and table[tuple(joint[:k] + [order] + joint[k + 1:])]:
                complain(f"{name}: together {joint}, and {order} at {sites[k][0]} holds as well")


def smallest_repair(sites, table, broken):
    return min((sum(a != b for a, b in zip(broken, other)) for other, holds in table.items()
                if holds and all(a == b or weaker(a, b) for a, b in zip(broken, other))), default=None)


def check_patch(name, patch, compiler_flags):
    """The literal orders of the patched source are those of the answer."""
    shutil.rmtree("patched", ignore_errors=True)
    shutil.copytree(".", "patched", ignore=shutil.ignore_patterns("patched", "*.plr"))
    run = subprocess.run(["git", "apply", "--directory=", os.path.abspath(patch)], cwd="patched", capture_output=True, text=True)
    if run.returncode:
        complain(f"{name}: git apply: {run.stderr}")
        return None
    return check(name, compiler_flags, "patched")


def expand(source, sites, assignment):
    """The program with literal orders instead of macros."""
    lines = source.splitlines()
    prefix = "std::" if "std::" in source else ""
    for (number, _, macro), order in zip(sites, assignment):
        lines[number - 1] = re.sub(rf"\b{macro}\b", f"{prefix}memory_order_{order}", lines[number - 1])
    return "\n".join(lines) + "\n"


def compare_repair(name, source, sites, table, broken):
    literal = "literal" + os.path.splitext(name)[1]
    with open(literal, "w", encoding="utf-8") as file:
        file.write(expand(source, sites, broken))
    answer = ask(literal, [], "repair.diff")
    if not answer:
        return
    counts["repairs"] += 1
    where = f"{name} {broken}"
    expected = smallest_repair(sites, table, broken)
    if answer["repair"]["answer"] != "found":
        complain(f"{where}: no repair, brute force has one of {expected}")
        return
    changes = answer["repair"]["changes"]
    by_name = {site["site"]: site for site in answer["sites"]}
    places = [number_of(sites, by_name[change["site"]]) for change in changes]
    if expected is None or len(changes) > expected or (None not in places and len(changes) != expected):
        complain(f"{where}: a repair of {len(changes)}, brute force has one of {expected}")
    if None not in places:
        repaired = list(broken)
        for k, change in zip(places, changes):
            repaired[k] = change["to"]
        if not table[tuple(repaired)]:
            complain(f"{where}: the repair {repaired} is violated")
        for k in places:
            for order in CHOICES[sites[k][1]]:
                if weaker(broken[k], order) and weaker(order, repaired[k]) and \
                        table[tuple(repaired[:k] + [order] + repaired[k + 1:])]:
                    complain(f"{where}: the repair {repaired} holds with {order} at {sites[k][0]} as well")
    if not check_patch(literal, "repair.diff", []):
        complain(f"{where}: the patch of the repair does not hold")
    counts["patches"] += 1


def compare_program(name):
    with open(name, encoding="utf-8") as file:
        source = file.read()
    sites = sites_of(source)
    table = {assignment: check(name, flags(sites, assignment))
             for assignment in itertools.product(*(CHOICES[access] for _, access, _ in sites))}
    counts["programs"] += 1
    counts["assignments"] += len(table)
    strongest = ("seq_cst",) * len(sites)
    literal = "literal" + os.path.splitext(name)[1]
    with open(literal, "w", encoding="utf-8") as file:
        file.write(expand(source, sites, strongest))
    answer = ask(literal, [], "weaker.diff")
    if not answer:
        return
    if not table[strongest] or answer["verdict"] != "holds":
        complain(f"{name}: {answer['verdict']} as written")
        return
    compare_single(name, sites, table, answer)
    compare_joint(name, sites, table, answer)
    changed = any(site.get("together", site["order"]) != site["order"] for site in answer["sites"])
    if changed and not check_patch(literal, "weaker.diff", []):
        complain(f"{name}: the patch does not hold")
    counts["patches"] += changed
    # a relaxed fence is no code at all, so there is nothing to strengthen
    broken = [a for a, holds in table.items() if not holds and
              not any(access == "fence" and order == "relaxed" for (_, access, _), order in zip(sites, a))]
    step = max(1, len(broken) // options.repairs)
    for assignment in broken[step // 2::step][:options.repairs]:
        compare_repair(name, source, sites, table, assignment)


def random_step(dice, number, macro):
    """A line, and the values that it may leave in r[number]."""
    place, value = dice.choice(["x", "y"]), dice.randint(1, 2)
    return dice.choice([
        (f"r[{number}] = atomic_load_explicit(&{place}, {macro});", [0, 1, 2, 3]),
        (f"r[{number}] = atomic_load_explicit(&{place}, {macro});", [0, 1, 2, 3]),
        (f"atomic_store_explicit(&{place}, {value}, {macro});", [0]),
        (f"atomic_store_explicit(&{place}, {value}, {macro});", [0]),
        (f"r[{number}] = atomic_fetch_add_explicit(&{place}, {value}, {macro});", [0, 1, 2]),
        (f"atomic_compare_exchange_strong_explicit(&{place}, &r[{number}], {value}, {macro}, memory_order_acquire);", [0, 1, 2]),
        (f"atomic_thread_fence({macro});", [0])])


def random_program(dice):
    """Two threads of two or three steps, some with a plain message, and an outcome that must not be."""
    macros = dice.sample(["A", "B", "C"], 3) + ["memory_order_relaxed"] * 3
    threads, outcome, number = [], [], 0
    for _ in range(2):
        lines = []
        for _ in range(dice.randint(2, 3)):
            line, values = random_step(dice, number, macros.pop(0))
            outcome.append(f"r[{number}] == {dice.choice(values)}")
            lines.append(line)
            number += 1
        threads.append(lines)
    if dice.random() < 0.4:
        threads[0].insert(0, "message = 1;")
        threads[1].append(f"if ({outcome[-1]}) message = 2;")
    body = "".join(f"static void *thread{k}(void *p)\n{{\n" + "".join(f"    {line}\n" for line in lines) + "    return p;\n}\n\n"
                   for k, lines in enumerate(threads))
    return ('#include "sites.h"\n\nstatic atomic_int x, y;\nstatic int message, r[6];\n\n' + body +
            "int main(void)\n{\n    run(thread0, thread1, NULL);\n    (void)message;\n    assert(!(" +
            " && ".join(outcome) + "));\n    return 0;\n}\n")


def make_random(count, seed):
    """Programs that hold with seq_cst, and do not with relaxed."""
    dice, names = random.Random(seed), []
    while len(names) < count:
        name = f"random{len(names)}.c"
        source = random_program(dice)
        with open(name, "w", encoding="utf-8") as file:
            file.write(source)
        sites = sites_of(source)
        if sites and check(name, flags(sites, ["seq_cst"] * len(sites))) and not check(name, flags(sites, ["relaxed"] * len(sites))):
            names.append(name)
    return names


names = sorted(name for name in os.listdir(programs) if name.endswith((".c", ".cpp")) and options.k in name)
with tempfile.TemporaryDirectory() as scratch:
    for name in names + ["sites.h"]:
        shutil.copy(os.path.join(programs, name), scratch)
    os.chdir(scratch)
    if options.random:
        names = make_random(options.random, options.seed)
    for name in [n for n in names if zlib.crc32(n.encode()) % options.every == 0] or names[:1]:
        before = len(failures)
        compare_program(name)
        if options.random and len(failures) > before:
            with open(name, encoding="utf-8") as file:
                print(file.read())
    os.chdir("/")
print(", ".join(f"{count} {what}" for what, count in counts.items()) + f", {len(failures)} failures")
sys.exit(1 if failures or not counts["programs"] else 0)
