#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: prove_random.py [--count N] [--seed S] [--only CASE] [--cc CC] [--no-models] [--tso] [-v] PLUMB
Random small objects, right and wrong: a few statements on two cells for each operation. `plumb prove` decides the compiled C, and a search that is
written here, over the same statements, decides all runs of two threads with at most ADDITIONS additions, with sets of explanations that are closed under
everything. Open operations of which none ever returns are wrong, too. Verdicts have to agree, and so have the lengths of shortest counterexamples.
The same object is also written as a model in Promela, from the same statements, for `plumb refine`, with arguments 1 and 2: its verdict has to be that
of `plumb prove --values 2`, but for operations that never end, which it does not ask for. Registers and sets are also judged by a golden implementation:
the same verdict, and the same length. With --tso stores wait in buffers, here and there; there is no
model of that."""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

ADDITIONS, INSIDE, STATES_MOST = 4, 3, 150000
CELLS = 2
BUFFER = 6 # stores, as PROVE_BUFFER_MAX of src/prove/prove_shared.h has it

# --- objects ---------------------------------------------------------------------------------------------------------------
# An operation is a list of statements; x, y and k begin as 0.
#   load r c | store c e | xchg r c e | cas c e e (sets k) | retif cond ret | again cond | ret ret
# c: 0, 1, or K (the cell of the key); e: 0, 1, v, x, y

SPECS = {
    "stack": [("push", True), ("pop", False)],
    "queue": [("enq", True), ("deq", False)],
    "register": [("write", True), ("read", False)],
    "set": [("add", True), ("remove", True), ("contains", True)],
}

RIGHT = {
    "stack": [
        {"push": [("cas", 0, "0", "v"), ("retif", "k", "ok"), ("ret", "full")],
         "pop": [("xchg", "x", 0, "0"), ("ret", "x")]},
        {"push": [("cas", 0, "0", "v"), ("again", "!k"), ("ret", "ok")],
         "pop": [("load", "x", 0), ("retif", "!x", "x"), ("cas", 0, "x", "0"), ("again", "!k"), ("ret", "x")]},
    ],
    "queue": [
        {"enq": [("cas", 0, "0", "v"), ("retif", "k", "ok"), ("ret", "full")],
         "deq": [("xchg", "x", 0, "0"), ("ret", "x")]},
        {"enq": [("load", "x", 0), ("retif", "x", "full"), ("cas", 0, "0", "v"), ("again", "!k"), ("ret", "ok")],
         "deq": [("load", "x", 0), ("retif", "!x", "x"), ("cas", 0, "x", "0"), ("retif", "k", "x"), ("ret", "0")]},
    ],
    "register": [
        {"write": [("store", 0, "v"), ("ret", "ok")], "read": [("load", "x", 0), ("ret", "x")]},
        {"write": [("xchg", "x", 0, "v"), ("store", 1, "x"), ("ret", "ok")],
         "read": [("load", "y", 1), ("load", "x", 0), ("ret", "x")]},
        {"write": [("store", 0, "v"), ("store", 1, "v"), ("ret", "ok")], "read": [("load", "x", 1), ("ret", "x")]},
    ],
    "set": [
        {"add": [("xchg", "x", "K", "1"), ("ret", "!x")], "remove": [("xchg", "x", "K", "0"), ("ret", "x?")],
         "contains": [("load", "x", "K"), ("ret", "x?")]},
        {"add": [("cas", "K", "0", "1"), ("ret", "k?")], "remove": [("cas", "K", "1", "0"), ("ret", "k?")],
         "contains": [("load", "x", "K"), ("ret", "x?")]},
    ],
}
CONDITIONS = ["x", "!x", "y", "!y", "k", "!k", "x==y"]


def results(spec, name):
    if spec in ("stack", "queue"):
        return ["ok", "ok", "full"] if name in ("push", "enq") else ["x", "y", "0"]
    if spec == "register":
        return ["ok"] if name == "write" else ["x", "y"]
    return ["!x", "x?", "k?", "!k", "true", "false"]


def random_statement(r, spec, name, takes):
    cells = ["K", "K", 0] if spec == "set" else list(range(CELLS))
    words = (["0", "1", "x"] if spec == "set" else ["0", "x", "y"]) + (["v"] if takes and spec != "set" else [])
    kind = r.choice(["load", "load", "store", "xchg", "cas", "retif"])
    if kind == "load":
        return ("load", r.choice("xy"), r.choice(cells))
    if kind == "store":
        return ("store", r.choice(cells), r.choice(words))
    if kind == "xchg":
        return ("xchg", r.choice("xy"), r.choice(cells), r.choice(words))
    if kind == "cas":
        return ("cas", r.choice(cells), r.choice(words), r.choice(words))
    return ("retif", r.choice(CONDITIONS), r.choice(results(spec, name)))


def mutate(r, spec, name, takes, code):
    code = list(code)
    for _ in range(r.choice([1, 1, 2, 3])):
        at = r.randrange(len(code))
        what = r.choice(["drop", "insert", "replace", "split"])
        if what == "drop" and len(code) > 2 and at < len(code) - 1:
            del code[at]
        elif what == "insert":
            code.insert(at, random_statement(r, spec, name, takes))
        elif what == "replace" and at < len(code) - 1:
            code[at] = random_statement(r, spec, name, takes)
        elif what == "split" and code[at][0] == "xchg":
            _, reg, cell, word = code[at]
            code[at:at + 1] = [("load", reg, cell), ("store", cell, word)]
    if r.random() < 0.1:
        code[-1] = ("ret", r.choice(results(spec, name)))
    accesses = [s for s in code if s[0] in ("load", "store", "xchg", "cas")]
    # What is done again has to touch memory first.
    seen = False
    kept = []
    for s in code:
        seen = seen or s in accesses
        if s[0] != "again" or seen:
            kept.append(s)
    return kept


def make_object(seed, tso):
    r = random.Random(seed)
    spec = r.choice(sorted(SPECS))
    base = r.choice(RIGHT[spec])
    broken = r.random() < 0.85
    ops = {name: mutate(r, spec, name, takes, base[name]) if broken and r.random() < 0.7 else list(base[name])
           for name, takes in SPECS[spec]}
    for name, takes in SPECS[spec] if tso else []: # more that waits in buffers
        if r.random() < 0.4:
            store = random_statement(r, spec, name, takes)
            while store[0] != "store":
                store = random_statement(r, spec, name, takes)
            ops[name].insert(r.randrange(len(ops[name])), store)
    return spec, ops


# --- as C --------------------------------------------------------------------------------------------------------------------

def cell_text(c):
    return "&m->cells[v - 1]" if c == "K" else f"&m->cells[{c}]"


def condition_text(c):
    return c


def result_text(spec, name, res):
    if res in ("ok",):
        return "PLUMB_OK"
    if res == "full":
        return "PLUMB_BOOL(false)"
    if res == "0":
        return "PLUMB_NONE"
    if res in ("x", "y"):
        if spec == "register":
            return f"PLUMB_INT({res})"
        return f"{res} ? PLUMB_INT({res}) : PLUMB_NONE"
    return {"!x": "PLUMB_BOOL(!x)", "x?": "PLUMB_BOOL(x != 0)", "k?": "PLUMB_BOOL(k)", "!k": "PLUMB_BOOL(!k)",
            "true": "PLUMB_BOOL(true)", "false": "PLUMB_BOOL(false)"}[res]


def as_c(spec, ops, tso):
    store = "atomic_store_explicit({}, {}, memory_order_release);" if tso else "atomic_store({}, {});"
    out = ["#include <plumb.h>", "#include <stdatomic.h>", "#include <stdlib.h>",
           f"static struct {{ atomic_int cells[{CELLS}]; }} *m;", f"PLUMB_OBJECT({spec})",
           "PLUMB_SETUP()", "{", "    m = malloc(sizeof *m);",
           f"    for (int i = 0; i < {CELLS}; i++)", "        atomic_init(&m->cells[i], 0);", "}"]
    for name, takes in SPECS[spec]:
        out.append(f"PLUMB_OP({name}, int, v)" if takes else f"PLUMB_OP({name})")
        out += ["{", "    int x, y, k, e;", "again: __attribute__((unused));", "    x = y = k = e = 0;", "    (void)x, (void)y, (void)k, (void)e;"]
        for s in ops[name]:
            if s[0] == "load":
                out.append(f"    {s[1]} = atomic_load({cell_text(s[2])});")
            elif s[0] == "store":
                out.append("    " + store.format(cell_text(s[1]), s[2]))
            elif s[0] == "xchg":
                out.append(f"    {s[1]} = atomic_exchange({cell_text(s[2])}, {s[3]});")
            elif s[0] == "cas":
                out.append(f"    e = {s[2]};")
                out.append(f"    k = atomic_compare_exchange_strong({cell_text(s[1])}, &e, {s[3]});")
            elif s[0] == "retif":
                out.append(f"    if ({condition_text(s[1])})")
                out.append(f"        return {result_text(spec, name, s[2])};")
            elif s[0] == "again":
                out.append(f"    if ({condition_text(s[1])})")
                out.append("        goto again;")
            else:
                out.append(f"    return {result_text(spec, name, s[1])};")
        out.append("}")
    return "\n".join(out) + "\n"


GOLDEN = {
    "register": """#include <plumb.h>
static int value;
PLUMB_OBJECT()
PLUMB_OP(write, int, v) { value = v; return PLUMB_OK; }
PLUMB_OP(read) { return PLUMB_INT(value); }
""",
    "set": """#include <plumb.h>
static bool inside[3];
PLUMB_OBJECT()
static bool put(int v, bool now) { bool before = inside[v]; inside[v] = now; return before; }
PLUMB_OP(contains, int, v) { return PLUMB_BOOL(inside[v]); }
PLUMB_OP(remove, int, v) { return PLUMB_BOOL(put(v, false)); }
PLUMB_OP(add, int, v) { return PLUMB_BOOL(!put(v, true)); }
""",
}


# --- as a model in Promela -----------------------------------------------------------------------------------------------------

def model_answer(res):
    return {"ok": "OK", "full": "FULL", "0": "NONE", "x": "x", "y": "y", "!x": "!x", "x?": "(x != 0)", "k?": "k", "!k": "!k", "true": "1",
            "false": "0"}[res]


def model_statement(s, name):
    cell = lambda c: "cells[v - 1]" if c == "K" else f"cells[{c}]"
    condition = lambda c: {"x": "x != 0", "!x": "x == 0", "y": "y != 0", "!y": "y == 0", "k": "k != 0", "!k": "k == 0", "x==y": "x == y"}[c]
    if s[0] == "load":
        return f"{s[1]} = {cell(s[2])};"
    if s[0] == "store":
        return f"{cell(s[1])} = {s[2]};"
    if s[0] == "xchg":
        return f"d_step {{ t = {cell(s[2])}; {cell(s[2])} = {s[3]}; {s[1]} = t; t = 0 }};"
    if s[0] == "cas":
        return f"d_step {{ if :: {cell(s[1])} == {s[2]} -> {cell(s[1])} = {s[3]}; k = 1 :: else -> k = 0 fi }};"
    if s[0] == "retif":
        return f"if :: {condition(s[1])} -> a = {model_answer(s[2])}; goto end_{name} :: else -> skip fi;"
    if s[0] == "again":
        return f"if :: {condition(s[1])} -> goto again_{name} :: else -> skip fi;"
    return f"a = {model_answer(s[1])};"


def as_promela(spec, ops):
    """Additions count before their calls, removals before their returns: others see that earlier than they could, which leaves more
    histories, but none that is harder to explain."""
    is_container = spec in ("stack", "queue")
    out = ['#include "plumb.pml"', f"byte cells[{CELLS}], inside;", "active [2] proctype client()", "{", "    byte v, x, y, k, t, a;", "    do"]
    for name, takes in SPECS[spec]:
        adds = is_container and takes
        out.append(f"    :: {f'atomic {{ inside < {INSIDE} -> inside++ }}; ' if adds else ''}CALL({name}, {'v' if takes else '_'});")
        out.append(f"again_{name}: d_step {{ x = 0; y = 0; k = 0; t = 0 }};")
        out += ["        " + model_statement(s, name) for s in ops[name]]
        out.append(f"end_{name}: skip;")
        if is_container:
            out.append(f"        d_step {{ if :: a {'==' if takes else '!='} {'FULL' if takes else 'NONE'} && inside > 0 -> inside-- :: else -> skip fi }};")
        out.append(f"        RET({name}, a);")
        out.append("        d_step { v = 0; x = 0; y = 0; k = 0; t = 0; a = 0 }")
    return "\n".join(out + ["    od", "}"]) + "\n"


# --- as a system -----------------------------------------------------------------------------------------------------------

def evaluate(word, v, regs):
    if word in ("0", "1"):
        return int(word)
    return v if word == "v" else regs[word]


def holds(cond, regs):
    if cond == "x==y":
        return regs["x"] == regs["y"]
    return not regs[cond[1]] if cond[0] == "!" else bool(regs[cond])


def answer(spec, res, regs):
    if res in ("ok", "full"):
        return res
    if res == "0":
        return None
    if res in ("x", "y"):
        value = regs[res]
        return value if spec == "register" or value else None
    return {"!x": not regs["x"], "x?": regs["x"] != 0, "k?": bool(regs["k"]), "!k": not regs["k"], "true": True,
            "false": False}[res]


class Model:
    """Additions of containers have items that are all different, or with `equal` 1 and 2."""
    def __init__(self, spec, ops, tso, equal=False):
        self.spec, self.ops, self.tso, self.equal = spec, ops, tso, equal
        self.names = [name for name, _ in SPECS[spec]]
        self.takes = dict(SPECS[spec])
        self.is_container = spec in ("stack", "queue")
        self.returning = set() # of (cells, threads): an operation may return

    def settle(self, name, v, pc, regs, buffer=()):
        """Goes on over what no other thread notices: ("at", pc, regs, buffer) or ("ret", answer, buffer). With tso that includes stores, which go
        to the buffer."""
        code = self.ops[name]
        for _ in range(1000):
            s = code[pc]
            if s[0] == "store" and self.tso and len(buffer) < BUFFER:
                buffer, pc = buffer + ((self.cell(s[1], v), evaluate(s[2], v, regs)),), pc + 1
            elif s[0] in ("load", "store", "xchg", "cas"):
                return ("at", pc, tuple(sorted(regs.items())), buffer)
            elif s[0] == "ret":
                return ("ret", answer(self.spec, s[1], regs), buffer)
            elif not holds(s[1], regs):
                pc += 1
            elif s[0] == "retif":
                return ("ret", answer(self.spec, s[2], regs), buffer)
            else:
                pc, regs = 0, {"x": 0, "y": 0, "k": 0}
        raise RuntimeError("endless")

    @staticmethod
    def cell(c, v):
        return v - 1 if c == "K" else c

    def access(self, name, v, where, cells):
        """The next step of the thread itself; None: it has to wait for its buffer."""
        _, pc, regs, buffer = where
        s = self.ops[name][pc]
        if buffer and s[0] != "load":
            return None
        regs, cells = dict(regs), list(cells)
        at = lambda c: self.cell(c, v)
        if s[0] == "load":
            own = [value for c, value in buffer if c == at(s[2])]
            regs[s[1]] = own[-1] if own else cells[at(s[2])]
        elif s[0] == "store":
            cells[at(s[1])] = evaluate(s[2], v, regs)
        elif s[0] == "xchg":
            new = evaluate(s[3], v, regs)
            regs[s[1]], cells[at(s[2])] = cells[at(s[2])], new
        else:
            expected, new = evaluate(s[2], v, regs), evaluate(s[3], v, regs)
            regs["k"] = int(cells[at(s[1])] == expected)
            if regs["k"]:
                cells[at(s[1])] = new
        return self.settle(name, v, pc + 1, regs, buffer), tuple(cells)

    @staticmethod
    def drain(where, cells):
        """The first store of the buffer reaches memory."""
        cells, buffer = list(cells), where[-1]
        cells[buffer[0][0]] = buffer[0][1]
        return where[:-1] + (buffer[1:],), tuple(cells)

    def moves(self, name, v, where, cells):
        if where[0] == "at":
            after = self.access(name, v, where, cells)
            if after:
                yield after
        if where[-1]:
            yield self.drain(where, cells)

    # --- the specification: (state, op, argument) -> [(answer, state)] ---

    def first(self):
        return 0 if self.spec == "register" else ()

    def effects(self, state, name, v):
        if name in ("push", "enq"):
            return [("ok", state + (v,)), ("full", state)]
        if name in ("pop", "deq"):
            if not state:
                return [(None, state)]
            return [(state[-1], state[:-1])] if name == "pop" else [(state[0], state[1:])]
        if name == "write":
            return [("ok", v)]
        if name == "read":
            return [(state, state)]
        inside = v in state
        if name == "add":
            return [(not inside, tuple(sorted(set(state) | {v})))]
        if name == "remove":
            return [(inside, tuple(sorted(set(state) - {v})))]
        return [(inside, state)]

    def close(self, members):
        todo, seen = list(members), set(members)
        while todo:
            state, slots = todo.pop()
            for t, slot in enumerate(slots):
                if slot and slot[0] == "open":
                    for result, after in self.effects(state, slot[1], slot[2]):
                        m = (after, slots[:t] + (("done", result),) + slots[t + 1:])
                        if m not in seen:
                            seen.add(m)
                            todo.append(m)
        return frozenset(seen)

    def search(self):
        """("violated", events), ("holds", None), or (None, None): too many states."""
        start = (tuple([0] * CELLS), (None, None), None, 0, 0, self.close({(self.first(), (None, None))}))
        level, seen, length, endless = [start], {start}, 0, None
        while level:
            length += 1
            following = []
            for node in level:
                for after in self.steps(node):
                    if after is None:
                        return "violated", length
                    if after not in seen:
                        seen.add(after)
                        following.append(after)
                        if endless is None and self.never_ends(after):
                            endless = length + 1
            if len(seen) > STATES_MOST:
                return None, None
            level = following
        return ("violated", endless) if endless else ("holds", None)

    def never_ends(self, node):
        """Whatever the open operations do, none of them returns."""
        cells, threads, way = node[:3]
        if way or not any(threads):
            return False
        todo, seen = [(cells, threads)], {(cells, threads)}
        while todo:
            cells, threads = todo.pop()
            if (cells, threads) in self.returning:
                self.returning.add(node[:2])
                return False
            for t in (0, 1):
                for where, after in self.moves(*threads[t], cells) if threads[t] else []:
                    if where[0] == "ret" and not where[-1]:
                        self.returning.add(node[:2])
                        return False
                    state = (after, threads[:t] + (threads[t][:2] + (where,),) + threads[t + 1:])
                    if state not in seen:
                        seen.add(state)
                        todo.append(state)
        return True

    def steps(self, node):
        cells, threads, way, added, inside, members = node
        if way and way[0] == "returning":
            _, t, name, result = way
            left = frozenset((s, slots[:t] + (None,) + slots[t + 1:]) for s, slots in members
                             if slots[t] == ("done", result))
            if self.is_container:
                took = (result is not None) if not self.takes[name] else result == "full"
                inside -= took and inside > 0
            yield (cells, threads, None, added, inside, left) if left else None
            return
        if way:
            _, t, name, v = way
            begun = self.settle(name, v, 0, {"x": 0, "y": 0, "k": 0})
            ends = begun[0] == "ret" and not begun[-1]
            for where, after in [(begun, cells)] if ends else self.moves(name, v, begun, cells):
                yield self.go_on(node, t, name, v, where, after)
            return
        for t in (0, 1):
            if threads[t]:
                name, v, where = threads[t]
                for after in self.moves(name, v, where, cells):
                    yield self.go_on(node, t, name, v, *after)
                continue
            for name in self.names:
                arguments = [0]
                if self.takes[name]:
                    arguments = [1, 2] if not self.is_container or self.equal else [added + 1]
                adds = self.is_container and self.takes[name]
                if adds and (added == ADDITIONS or inside == INSIDE):
                    continue
                for v in arguments:
                    slots = self.close({(s, sl[:t] + (("open", name, v),) + sl[t + 1:]) for s, sl in members})
                    yield (cells, threads, ("called", t, name, v), added + adds, inside + adds, slots)

    @staticmethod
    def go_on(node, t, name, v, where, cells):
        ends = where[0] == "ret" and not where[-1]
        threads = list(node[1])
        threads[t] = None if ends else (name, v, where)
        way = ("returning", t, name, where[1]) if ends else None
        return (cells, tuple(threads), way, node[3], node[4], node[5])


def decide(spec, ops, tso):
    """Operations that compare items may go wrong only with equal ones."""
    verdict, length = Model(spec, ops, tso).search()
    is_new = verdict == "holds" and spec in ("stack", "queue")
    return Model(spec, ops, tso, equal=True).search() if is_new else (verdict, length)


# --- comparing ---------------------------------------------------------------------------------------------------------------

def run(command, answer_path):
    done = subprocess.run(command + ["-q", "--json", answer_path], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        return {"verdict": f"exit code {done.returncode}: {done.stdout}{done.stderr}"}
    with open(answer_path) as f:
        return json.load(f)


def ask_model(plumb, folder, case, spec, ops, found):
    """What is wrong between the two; empty: nothing. `found`: of plumb prove, with the same arguments."""
    path = os.path.join(folder, f"object{case}.pml")
    with open(path, "w") as f:
        f.write(as_promela(spec, ops))
    model = run([plumb, "refine", path, "--spec", spec, "--values", "free:2", "--full", "any", "--time", "60"], os.path.join(folder, "model.json"))
    endless = "never returns" in json.dumps(found)
    if model["verdict"] == found["verdict"] or (endless and model["verdict"] == "holds"):
        return ""
    return f"refine {model['verdict']}, prove {found['verdict']}"


def ask(plumb, folder, case, spec, ops, a, *more):
    path = os.path.join(folder, f"object{case}.c")
    with open(path, "w") as f:
        f.write(as_c(spec, ops, a.tso))
    return run([plumb, "prove", path, "--inside", str(INSIDE), "--time", "60", *more] + (["--cc", a.cc] if a.cc else []) + (["--memory", "tso"] if a.tso else []), os.path.join(folder, "answer.json"))


def compare_models(folder, case, spec, ops, a, found):
    if spec in ("stack", "queue"):
        found = ask(a.plumb, folder, case, spec, ops, a, "--values", "2")
    return ask_model(a.plumb, folder, case, spec, ops, found)


def compare_golden(folder, case, spec, ops, a, found):
    if spec not in GOLDEN:
        return ""
    path = os.path.join(folder, f"{spec}.c")
    with open(path, "w") as f:
        f.write(GOLDEN[spec])
    other = ask(a.plumb, folder, case, spec, ops, a, "--golden", path)
    same = other["verdict"] == found["verdict"] and other.get("run_events") == found.get("run_events")
    return "" if same else f"by the golden implementation {other['verdict']}, {other.get('run_events')} events; prove {found['verdict']}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--cc")
    parser.add_argument("--no-models", action="store_true")
    parser.add_argument("--tso", action="store_true")
    parser.add_argument("-v", action="store_true")
    parser.add_argument("plumb")
    a = parser.parse_args()
    counts = {"holds": 0, "violated": 0}
    failed = skipped = 0
    with tempfile.TemporaryDirectory() as folder:
        for case in range(a.count) if a.only is None else [a.only]:
            spec, ops = make_object(a.seed * 1000003 + case, a.tso)
            expected, length = decide(spec, ops, a.tso)
            if expected is None:
                skipped += 1
                continue
            answer_found = ask(a.plumb, folder, case, spec, ops, a)
            verdict, found, pairs = answer_found["verdict"], answer_found.get("run_events"), answer_found.get("pairs")
            right = verdict == expected and found == length
            unlike = "" if a.no_models or a.tso else compare_models(folder, case, spec, ops, a, answer_found)
            unlike = unlike or compare_golden(folder, case, spec, ops, a, answer_found)
            if unlike:
                right = False
                print(f"case {case} ({spec}): {unlike}")
                print(as_promela(spec, ops))
            if a.v or not right:
                print(f"case {case} ({spec}): {verdict}, {found} events, {pairs} pairs; here {expected}, {length}")
            if not right:
                failed += 1
                print(as_c(spec, ops, a.tso))
            else:
                counts[verdict] += 1
    print(f"{sum(counts.values()) + failed} objects: {counts['holds']} hold, {counts['violated']} violated, {failed} differ; "
          f"{skipped} skipped (too many states)")
    return 1 if failed else 0


sys.exit(main())
