#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What annotations in bodies mean, at random: annotated_steps.py [--count N] [--seed S] PLUMB_BINARY

tests/annotations/steps.c performs steps: calls within calls, calls that are left, operations, and annotations that keep an operation, make
one a point, or drop the points so far. Threads run one after the other, so there is one execution, and what the order of calls has
to be is known here: it is computed from the steps alone, and compared with what plumb check says about two calls."""
import argparse
import itertools
import os
import random
import subprocess
import sys
import tempfile

options = argparse.ArgumentParser()
options.add_argument("--count", type=int, default=200)
options.add_argument("--seed", type=int, default=1)
options.add_argument("plumb")
options = options.parse_args()
plumb = os.path.realpath(options.plumb)
root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
seen = {}

LABELS = {"(": {"Point"}, "[": {"Point", "Other"}}
CALLS_MOST = 6
# A call after one that a longjmp left, in a frame at the same place: not within it.
FIXED = [("(l1j[u0h)", [0, 1], False), ("(l1jl1[s0he|[u0h)|(u0h)", [0, 3], False)]


class Mistake(Exception):
    pass


class Call:
    def __init__(self, kind, now):
        self.labels, self.begin, self.points = LABELS[kind], now, []
        self.completed, self.over = False, None


def simulate(steps):
    """The calls, with their points as (location, key, operation)."""
    calls, writes, now = [], {}, 0
    for text in steps.split("|"):
        open_calls, kept, last, at, over = [], {}, None, 0, False

        def leave():
            open_calls.pop().over = next(clock)

        def add(label, operation):
            for call in open_calls:
                if label in call.labels and operation not in call.points:
                    call.points.append(operation)

        while at < len(text) and not over:
            step, at = text[at], at + 1
            if step in "slu":
                location, at = text[at], at + 1
                writes[location] = writes.get(location, 0) + (step != "l")
                now += 1
                last = (location, 2 * writes[location] + (step == "l"), now)
            elif step == "m":
                for _ in "lock", "unlock":
                    writes["m"] = writes.get("m", 0) + 1
                    now += 1
                last = ("m", 2 * writes["m"], now)
            elif step in "([":
                call = Call(step, now)
                calls.append(call)
                open_calls.append(call)
            elif step == ")":
                open_calls[-1].completed = True
                leave()
            elif step in "ej":
                while open_calls:
                    leave()
                over = step == "e"
            elif step in "pq" and open_calls:
                if not last or last[2] <= open_calls[0].begin:
                    raise Mistake()
                kept[step] = last
            elif step in "cd":
                operation = kept.get("p" if step == "c" else "q")
                label = "Point" if step == "c" else "Other"
                for call in open_calls:
                    if operation and operation[2] > call.begin and label in call.labels and operation not in call.points:
                        call.points.append(operation)
            elif step in "ho":
                label = "Point" if step == "h" else "Other"
                if any(label in call.labels and (not last or last[2] <= call.begin) for call in open_calls):
                    raise Mistake()
                add(label, last)
            elif step in "xy" and open_calls:
                label = "Point" if step == "x" else "Other"
                of = next((call for call in reversed(open_calls) if label in call.labels), open_calls[-1])
                seen["cleared"] = seen.get("cleared", 0) + bool(of.points)
                of.points = []
        while open_calls:
            leave()
    return calls


clock = itertools.count()


def find_nodes(calls):
    """Lists of calls that share points, directly or not."""
    nodes = []
    for number, call in enumerate(calls):
        if not call.completed and not call.points:
            continue
        joined = [node for node in nodes if any(set(calls[k].points) & set(call.points) for k in node)]
        nodes = [node for node in nodes if node not in joined] + [sum(joined, []) + [number]]
    return nodes


def find_edges(calls, nodes):
    def points(node):
        return [point for k in node for point in calls[k].points]
    return {(a, b) for a in range(len(nodes)) for b in range(len(nodes)) if a != b
            and any(x[0] == y[0] and x[1] < y[1] for x in points(nodes[a]) for y in points(nodes[b]))}


def legal_orders(nodes, edges):
    for order in itertools.permutations(range(len(nodes))):
        if all(order.index(a) < order.index(b) for a, b in edges):
            yield order


def expected(steps, question, every):
    try:
        calls = simulate(steps)
    except Mistake:
        return "mistake"
    nodes = find_nodes(calls)
    edges = find_edges(calls, nodes)
    orders = list(legal_orders(nodes, edges))
    if not orders:
        return "ordering-points"
    node_of = {k: n for n, node in enumerate(nodes) for k in node}
    a, b = question
    if b not in node_of or not calls[b].completed:
        return "holds"
    answers = {a in node_of and order.index(node_of[a]) <= order.index(node_of[b]) for order in orders}
    seen["shared"] = seen.get("shared", 0) + (len(node_of) > len(nodes))
    seen["without result"] = seen.get("without result", 0) + any(not call.completed for call in calls)
    seen["open"] = seen.get("open", 0) + (len(answers) == 2)
    return "holds" if (all(answers) if every else any(answers)) else "condition"


def random_thread(rng, calls_left):
    steps, depth = "", 0
    for _ in range(rng.randint(3, 14)):
        kind = rng.random()
        if kind < 0.25 and calls_left[0] and depth < 3:
            steps += rng.choice("([")
            depth += 1
            calls_left[0] -= 1
            if rng.random() < 0.98:
                steps += rng.choice("slu") + rng.choice("012")
        elif kind < 0.35 and depth:
            steps += ")"
            depth -= 1
        elif kind < 0.6:
            steps += rng.choice(("s", "l", "u", "u")) + rng.choice("001122") if rng.random() < 0.9 else "m"
        elif depth:
            steps += rng.choice("pqcdhhhooxy")
        if depth and rng.random() < 0.04:
            steps += rng.choice("ej")
            depth = 0
            if steps[-1] == "e":
                return steps
    return steps + ")" * depth if rng.random() < 0.9 else steps + ("e" if depth else "")


def random_case(rng):
    left = [CALLS_MOST]
    steps = "|".join(random_thread(rng, left) for _ in range(rng.randint(1, 3)))
    count = CALLS_MOST - left[0]
    return (steps, rng.sample(range(count), 2)) if count > 1 else random_case(rng)


def ask(program, steps, question, every):
    environment = dict(os.environ, STEPS=steps, QUESTION="".join("abcdefgh"[k] for k in question))
    words = [plumb, "check", program, "--json", "answer.json", "--trace", "t.plr", "-q", "--histories", "every" if every else "some"]
    run = subprocess.run(words, env=environment, capture_output=True, text=True)
    if run.returncode == 2:
        return "mistake"
    with open("answer.json", encoding="utf-8") as file:
        text = file.read()
    if run.returncode == 0 and '"executions":1' in text.replace(" ", ""):
        return "holds"
    return next((error for error in ("condition", "ordering-points") if f'"error":"{error}"' in text), run.stdout + run.stderr)


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        source = os.path.join(root, "tests", "annotations", "steps.c")
        environment = dict(os.environ, PLUMB_LIB_DIR=os.path.join(os.path.dirname(os.path.dirname(plumb)), "lib"))
        subprocess.run([os.path.join(root, "build", "bin", "plumb-cc"), source, "-pthread", "-o", "steps"], check=True, env=environment)
        for number in range(options.count):
            rng = random.Random(options.seed * 1000003 + number)
            steps, question, every = FIXED[number] if number < len(FIXED) else (*random_case(rng), rng.random() < 0.5)
            wanted = expected(steps, question, every)
            said = ask("./steps", steps, question, every)
            seen[wanted] = seen.get(wanted, 0) + 1
            if said != wanted:
                failures += 1
                print(f"FAILED STEPS='{steps}' QUESTION={question} every={every}: expected {wanted}, said {said}")
        os.chdir("/")
    print(", ".join(f"{count} {name}" for name, count in sorted(seen.items())))
    print(f"{options.count} programs of steps, {failures} failures")
    sys.exit(1 if failures else 0)


main()
