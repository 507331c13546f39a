#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: folding_verdicts.py [--count N] [--seed S] [--every K] [--cc clang|gcc] (--zoo | --harness) PLUMB

Checks the same programs with and without folding, under sc, tso and rc11: verdicts and kinds of errors have to be the same.
--zoo: the programs of tests/programs, one of K; --harness: N random tests of harnesses of examples and bench, right ones and such
with other memory orders, some of them with --symmetry or --opaque-items as well. Cases that have no answer without folding within a limit do not count.
Prints how many cases there were, how many of them were violated, had fewer executions, and were run again with less folding."""
import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MODELS = ["sc", "tso", "rc11"]
HARNESSES = ["examples/harness/michael_scott.c", "examples/harness/treiber_aba.c", "examples/harness/lost_update.c",
             "examples/roundup/ms_queue.c", "examples/roundup/treiber.c", "examples/roundup/herlihy_wing.c",
             "examples/roundup/bk_queue.c", "examples/roundup/k_stack.c", "examples/auto/free_list.c", "examples/auto/set.c",
             "examples/auto/register.c", "examples/lineup/stack.c", "examples/lineup/queue.c", "examples/lineup/countdown.c",
             "bench/clients/treiber.c", "bench/clients/herlihy_wing.c", "bench/clients/michael_scott_reclaims.c",
             "tests/programs/right/fold/queue_of_templates.cpp"]
RETRYING = [h for h in HARNESSES if re.search("michael|ms_queue|treiber|free_list|templates", h)]
ORDERS = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]
SYMMETRIES = ["--symmetry", "--opaque-items"]
LIMITS = ["--executions", "20000", "--time", "20"]


class Tool:
    def __init__(self, plumb, cc):
        self.plumb = os.path.abspath(plumb)
        self.environment = dict(os.environ, PLUMB_CC=cc, PLUMB_CXX={"gcc": "g++", "clang": "clang++"}[cc],
                                PLUMB_LIB_DIR=os.path.join(os.path.dirname(os.path.dirname(self.plumb)), "lib"))

    def compile(self, source, flags, program):
        wrapper = "plumb-c++" if source.endswith((".cpp", ".cc")) else "plumb-cc"
        words = [os.path.join(ROOT, "build", "bin", wrapper), *flags, "-I", os.path.dirname(source), source, "-pthread", "-o", program]
        done = subprocess.run(words, env=self.environment, capture_output=True, timeout=120, check=False)
        return done.returncode == 0

    def run(self, program, options):
        """Verdict and kind of error, and the document; None: no answer."""
        path = program + ".json"
        if os.path.exists(path):
            os.unlink(path)
        words = [self.plumb, "check", program, "--json", path, "-q", "--trace", program + ".plr", *options, *LIMITS]
        subprocess.run(words, env=self.environment, capture_output=True, timeout=200, check=False)
        if not os.path.exists(path):
            return None
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        kind = re.search(r'"kind": *"([a-z-]*)"', json.dumps(document))
        return (document.get("verdict"), kind.group(1) if kind else ""), document


class Tally:
    def __init__(self):
        self.cases = self.violated = self.fewer = self.again = self.skipped = 0

    def compare(self, tool, program, options, name):
        """False: the answers differ."""
        plain = tool.run(program, ["--no-fold", *(o for o in options if o not in SYMMETRIES)])
        if not plain or plain[0][0] not in ("holds", "violated"):
            self.skipped += 1
            return True
        folded = tool.run(program, options)
        self.cases += 1
        self.violated += plain[0][0] == "violated"
        if not folded or folded[0] != plain[0]:
            print(f"{name} {' '.join(options)}: {plain[0]} without, {folded and folded[0]} with folding")
            return False
        self.fewer += folded[1].get("executions", 0) < plain[1].get("executions", 0)
        self.again += "folding" in folded[1]
        return True

    def print(self):
        print(f"{self.cases} cases, {self.violated} violated, {self.fewer} with fewer executions, {self.again} run again with less "
              f"folding, {self.skipped} without an answer")


def fields_of(path):
    fields = {}
    with open(path, encoding="utf-8") as file:
        for line in [next(file, "") for _ in range(10)]:
            found = re.match(r"/\* ([a-z0-9-]+): (.*) \*/$", line.strip())
            if found:
                fields[found.group(1)] = found.group(2)
    return fields


def zoo(tool, tally, every, cc, folder):
    programs = sorted(os.path.join(where, name) for where, _, names in os.walk(os.path.join(ROOT, "tests/programs"))
                      for name in names if name.endswith((".c", ".cpp")) and "/corpus" not in where)
    fine = True
    # By its name, so that a new program changes nothing for the others.
    for path in [p for p in programs if zlib.crc32(os.path.relpath(p, ROOT).encode()) % every == 0]:
        fields = fields_of(path)
        options = fields.get("flags-plumb", "").replace("--fold", "").split()
        unusual = any(o.split("=")[0] in ("--races", "--suppress", "--all-errors", "--checkpoint", "--loops", "--mode", "--no-fold",
                                          "--preemptions", "--volatile", "--memory", "--compare") for o in options)
        if unusual or "'" in fields.get("flags-plumb", "") or "command" in fields or fields.get("only", cc) != cc:
            continue
        program = os.path.join(folder, "program")
        std = ["-std=" + fields["std"]] if "std" in fields else ["-std=c++20"] if path.endswith("cpp") else []
        if not tool.compile(path, [*std, *fields.get("flags", "").split()], program):
            continue
        for model in MODELS:
            fine &= tally.compare(tool, program, ["--memory", model, *options], os.path.relpath(path, ROOT))
    return fine


def operations_of(tool, program):
    said = subprocess.run([tool.plumb, "check", program], env=tool.environment, capture_output=True, text=True, timeout=60,
                          check=False).stderr
    found = re.search(r"name a test of its operations \((.*)\) with", said)
    return [o for o in re.split(r", (?![^(]*\))", found.group(1))] if found else []


def random_call(rng, operation):
    name, _, arguments = operation.rstrip(")").partition("(")
    values = [str(rng.randint(1, 3)) for _ in arguments.split(",") if _.strip()]
    return name + (f"({', '.join(values)})" if values else "")


def random_test(rng, operations):
    columns = rng.choice([2, 2, 2, 3])
    length = 2 if columns == 2 else rng.choice([1, 1, 2])
    return " | ".join(" ".join(random_call(rng, rng.choice(operations)) for _ in range(rng.randint(1, length)))
                      for _ in range(columns))


def change_orders(rng, text):
    """A few memory orders are others: right, weaker or stronger ones, mixtures."""
    def other(found):
        return "memory_order_" + rng.choice(ORDERS) if rng.random() < 0.3 else found.group(0)
    return re.sub(r"memory_order_(relaxed|acquire|release|acq_rel|seq_cst)", other, text)


def harness(tool, tally, count, seed, folder):
    rng = random.Random(seed)
    fine, done = True, 0
    while done < count:
        name = rng.choice(HARNESSES if rng.random() < 0.4 else RETRYING)
        path = os.path.join(ROOT, name)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        source = os.path.join(folder, "changed" + os.path.splitext(name)[1])
        changed = change_orders(rng, text) if rng.random() < 0.7 else text
        with open(source, "w", encoding="utf-8") as file:
            file.write(changed)
        program = os.path.join(folder, "program")
        done += 1
        if not tool.compile(source, ["-I" + os.path.dirname(path)], program):
            continue
        operations = operations_of(tool, program)
        for _ in range(6 if operations else 0):
            test = random_test(rng, operations)
            options = ["--test", test, "--memory", rng.choice(MODELS + ["rc11"])]
            options += rng.choice([[], [], [], ["--client", "fixed"], ["--symmetry"], ["--opaque-items"], ["--weak-cas"]])
            fine &= tally.compare(tool, program, options, f"{name} (seed {seed}, number {done})")
            done += 1
        if not fine:
            os.replace(source, "folding_harness" + os.path.splitext(name)[1])
            return False
    return fine


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--cc", choices=["gcc", "clang"], default="clang")
    kind = parser.add_mutually_exclusive_group(required=True)
    kind.add_argument("--zoo", action="store_true")
    kind.add_argument("--harness", action="store_true")
    parser.add_argument("plumb")
    asked = parser.parse_args()
    tool, tally = Tool(asked.plumb, asked.cc), Tally()
    with tempfile.TemporaryDirectory() as folder:
        fine = zoo(tool, tally, asked.every, asked.cc, folder) if asked.zoo else harness(tool, tally, asked.count, asked.seed, folder)
    tally.print()
    return 0 if fine and tally.cases else 1


if __name__ == "__main__":
    sys.exit(main())
