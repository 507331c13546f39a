#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the litmus tests below this folder: generate.py [FOLDER] (this one).

Families come from a table of threads over locations x, y, z; a variant names how each access or gap is ordered.
Verdicts are written only where the literature settles them, as lines `// verdict MODEL Sometimes|Never|Always`
(of the condition); test_litmus checks them, and every final state of every test against brute force.
"""
import os
import re
import sys

ORDERS = {"rlx": "relaxed", "acq": "acquire", "rel": "release", "sc": "seq_cst", "ar": "acq_rel"}
files = {}


class Thread:
    def __init__(self):
        self.lines, self.places, self.reads, self.plain = [], [], 0, set()

    def place(self, x):
        if x not in self.places:
            self.places.append(x)
        return x

    def register(self):
        self.reads += 1
        return f"r{self.reads - 1}"

    def add(self, step):
        """W x 1 rel | R x acq | F sc | ADD x 1 ar | XCHG x 1 ar | CAS x 0 1 ar | AWAIT x acq | IF 1 | } |
        PW x 1 and PR x, which are not atomic"""
        word = step.split()
        order = lambda k: "memory_order_" + ORDERS[word[k]]
        if word[0] == "W":
            self.lines.append(f"atomic_store_explicit({self.place(word[1])}, {word[2]}, {order(3)});")
        elif word[0] == "R":
            r = self.register()
            self.lines.append(f"int {r} = atomic_load_explicit({self.place(word[1])}, {order(2)});")
        elif word[0] == "PW":
            self.plain.add(word[1])
            self.lines.append(f"*{self.place(word[1])} = {word[2]};")
        elif word[0] == "PR":
            self.plain.add(word[1])
            r = self.register()
            self.lines.append(f"int {r} = *{self.place(word[1])};")
        elif word[0] == "F":
            self.lines.append(f"atomic_thread_fence({order(1)});")
        elif word[0] in ("ADD", "XCHG"):
            call = "atomic_fetch_add" if word[0] == "ADD" else "atomic_exchange"
            r = self.register()
            self.lines.append(f"int {r} = {call}_explicit({self.place(word[1])}, {word[2]}, {order(3)});")
        elif word[0] == "CAS":
            fail = {"ar": "acq", "rel": "rlx"}.get(word[4], word[4])
            r = self.register()
            self.lines.append(f"int e{r} = {word[2]};")
            self.lines.append(
                f"int {r} = atomic_compare_exchange_strong_explicit({self.place(word[1])}, &e{r}, {word[3]}, "
                f"{order(4)}, memory_order_{ORDERS[fail]});")
        elif word[0] == "AWAIT":
            r = self.register()
            self.lines.append(f"int {r};")
            self.lines.append(f"while (({r} = atomic_load_explicit({self.place(word[1])}, {order(2)})) == 0) {{}}")
        elif word[0] == "IF":
            self.lines.append(f"if (r{self.reads - 1} == {word[1]}) {{")
        elif word[0] == "}":
            self.lines.append("}")
        else:
            sys.exit(f"what is {step}?")


def test(name, threads, condition, verdicts="", quantifier="exists", init="", doc="", races="", c11=""):
    """threads: lists of steps; verdicts: 'rc11:Never tso:Sometimes'; races: models in which there is one; c11: the verdict
    with the release sequences of C11, where it is another one than that of rc11"""
    if name in files:
        sys.exit(f"{name} twice")
    out = [f"C {name}"]
    if doc:
        out.append(f'"{doc}"')
    for v in verdicts.split():
        model, word = v.split(":")
        out.append(f"// verdict {model} {word}")
    if c11:
        out.append(f"// verdict rc11-c11 {c11}")
    out += [f"// race {model}" for model in races.split()]
    if "rc11" in races.split() and not c11:
        out.append("// race rc11-c11")
    out += ["", "{ " + init + " }", ""]
    for n, steps in enumerate(threads):
        t = Thread()
        for s in steps:
            t.add(s)
        out.append(f"P{n} (" + ", ".join(("int* " if x in t.plain else "atomic_int* ") + x for x in t.places) + ") {")
        depth = 1
        for line in t.lines:
            depth -= line == "}"
            out.append("  " * depth + line)
            depth += line.endswith("{")
        out += ["}", ""]
    out.append(f"{quantifier} ({condition})")
    files[name] = "\n".join(out) + "\n"


def all_models(word):
    return f"sc:{word} tso:{word} rc11:{word}"


# How two accesses of a thread are ordered: name -> (order of writes, order of reads, fence between or None)
STYLES = {
    "rlx": ("rlx", "rlx", None),
    "ra": ("rel", "acq", None),
    "sc": ("sc", "sc", None),
    "fsc": ("rlx", "rlx", "F sc"),
    "far": ("rlx", "rlx", "F ar"),
    "frel": ("rlx", "rlx", "F rel"),
    "facq": ("rlx", "rlx", "F acq"),
}


def thread(style, steps):
    """steps: 'Wx1 Ry'; the fence of the style goes between all of them"""
    write, read, fence = STYLES[style]
    out = []
    for k, s in enumerate(steps.split()):
        if k and fence:
            out.append(fence)
        out.append(f"W {s[1]} {s[2]} {write}" if s[0] == "W" else f"R {s[1]} {read}")
    return out


def family(name, shapes, condition, styles, verdicts=None, init=""):
    """One test for each combination in `styles`: a list of tuples, one style for each thread."""
    for combination in styles:
        same = len(set(combination)) == 1
        label = combination[0] if same else "+".join(combination)
        v = (verdicts or {}).get(label, "")
        test(f"{name}+{label}", [thread(s, t) for s, t in zip(combination, shapes)], condition, v, init=init)


def pairs(names):
    return [(a, b) for i, a in enumerate(names) for b in names[i:]]


def uniform(names, n):
    return [(a,) * n for a in names]


BASIC = ["rlx", "ra", "sc", "fsc", "far"]

# Store buffering: only SC accesses or SC fences in both threads forbid it.
sb = {"rlx": "sc:Never tso:Sometimes rc11:Sometimes", "ra": "sc:Never tso:Sometimes rc11:Sometimes",
      "sc": all_models("Never"), "fsc": all_models("Never"), "far": "sc:Never tso:Sometimes rc11:Sometimes"}
family("SB", ["Wx1 Ry", "Wy1 Rx"], "0:r0=0 /\\ 1:r0=0", pairs(BASIC), sb)
family("3.SB", ["Wx1 Ry", "Wy1 Rz", "Wz1 Rx"], "0:r0=0 /\\ 1:r0=0 /\\ 2:r0=0", uniform(BASIC, 3), sb)

# Message passing.
mp = {"rlx": "sc:Never tso:Never rc11:Sometimes", "ra": all_models("Never"), "sc": all_models("Never"),
      "fsc": all_models("Never"), "far": all_models("Never"), "frel+facq": all_models("Never"),
      "rlx+ra": "sc:Never tso:Never rc11:Sometimes", "ra+rlx": "sc:Never tso:Never rc11:Sometimes",
      "frel": "sc:Never tso:Never rc11:Sometimes", "facq": "sc:Never tso:Never rc11:Sometimes",
      "frel+ra": all_models("Never"), "ra+facq": all_models("Never")}
family("MP", ["Wx1 Wy1", "Ry Rx"], "1:r0=1 /\\ 1:r1=0",
       [(a, b) for a in ["rlx", "ra", "sc", "frel", "fsc", "far"] for b in ["rlx", "ra", "sc", "facq", "fsc", "far"]]
       + [("frel", "frel"), ("facq", "facq")], mp)

# Load buffering: this rc11 has no cycle of program order and reads-from.
family("LB", ["Rx Wy1", "Ry Wx1"], "0:r0=1 /\\ 1:r0=1", pairs(BASIC),
       {s: all_models("Never") for s in BASIC} | {f"{a}+{b}": all_models("Never") for a, b in pairs(BASIC)})
test("LB+data", [["R x rlx", "W y r0 rlx"], ["R y rlx", "W x r0 rlx"]], "0:r0=1 /\\ 1:r0=1", all_models("Never"),
     doc="no value out of thin air")
test("LB+ctrl", [["R x rlx", "IF 1", "W y 1 rlx", "}"], ["R y rlx", "IF 1", "W x 1 rlx", "}"]],
     "0:r0=1 /\\ 1:r0=1", all_models("Never"))
family("3.LB", ["Rx Wy1", "Ry Wz1", "Rz Wx1"], "0:r0=1 /\\ 1:r0=1 /\\ 2:r0=1", uniform(["rlx", "ra", "sc"], 3),
       {s: all_models("Never") for s in ["rlx", "ra", "sc"]})

# Independent reads of independent writes.
iriw = {"rlx": "sc:Never tso:Never rc11:Sometimes", "ra": "sc:Never tso:Never rc11:Sometimes",
        "sc": all_models("Never"), "rlx+rlx+fsc+fsc": all_models("Never")}
family("IRIW", ["Wx1", "Wy1", "Rx Ry", "Ry Rx"], "2:r0=1 /\\ 2:r1=0 /\\ 3:r0=1 /\\ 3:r1=0",
       uniform(["rlx", "ra", "sc"], 4) + [("rlx", "rlx", "fsc", "fsc"), ("ra", "ra", "fsc", "fsc"),
                                          ("sc", "sc", "ra", "ra"), ("sc", "sc", "sc", "ra"),
                                          ("rlx", "rlx", "far", "far")], iriw)

# Coherence: the same in every model, whatever the orders.
for s in ["rlx", "ra", "sc"]:
    w, r, _ = STYLES[s]
    never = all_models("Never")
    test(f"CoRR+{s}", [[f"W x 1 {w}", f"W x 2 {w}"], [f"R x {r}", f"R x {r}"]], "1:r0=2 /\\ 1:r1=1", never)
    test(f"CoRR2+{s}", [[f"W x 1 {w}"], [f"W x 2 {w}"], [f"R x {r}", f"R x {r}"], [f"R x {r}", f"R x {r}"]],
         "2:r0=1 /\\ 2:r1=2 /\\ 3:r0=2 /\\ 3:r1=1", never)
    test(f"CoWW+{s}", [[f"W x 1 {w}", f"W x 2 {w}"]], "x=1", never)
    test(f"CoRW+{s}", [[f"R x {r}", f"W x 1 {w}"], [f"W x 2 {w}"]], "0:r0=2 /\\ x=2", never)
    test(f"CoRW1+{s}", [[f"R x {r}", f"W x 1 {w}"]], "0:r0=1", never)
    test(f"CoWR+{s}", [[f"W x 1 {w}", f"R x {r}"], [f"W x 2 {w}"]], "0:r0=2 /\\ x=1", never)
    test(f"CoWR1+{s}", [[f"W x 1 {w}", f"R x {r}"]], "0:r0=0", never)

# Two locations, final values.
weak = "sc:Never tso:Never rc11:Sometimes"
family("2+2W", ["Wx1 Wy2", "Wy1 Wx2"], "[x]=1 /\\ [y]=1", pairs(BASIC),
       {"rlx": weak, "ra": weak, "sc": all_models("Never"), "fsc": all_models("Never"), "far": weak})
family("R", ["Wx1 Wy1", "Wy2 Rx"], "[y]=2 /\\ 1:r0=0", pairs(BASIC),
       {"rlx": "sc:Never tso:Sometimes rc11:Sometimes", "ra": "sc:Never tso:Sometimes rc11:Sometimes",
        "sc": all_models("Never"), "fsc": all_models("Never")})
family("S", ["Wx2 Wy1", "Ry Wx1"], "1:r0=1 /\\ [x]=2",
       [(a, b) for a in ["rlx", "ra", "sc", "frel", "fsc"] for b in ["rlx", "ra", "sc", "facq", "fsc"]],
       {"rlx": weak, "ra": all_models("Never"), "sc": all_models("Never"), "fsc": all_models("Never"),
        "frel+facq": all_models("Never")})

# Three threads.
family("WRC", ["Wx1", "Rx Wy1", "Ry Rx"], "1:r0=1 /\\ 2:r0=1 /\\ 2:r1=0",
       uniform(["rlx", "ra", "sc", "far"], 3) + [("rlx", "ra", "ra"), ("rlx", "far", "ra"), ("rlx", "ra", "rlx")],
       {"rlx": weak, "ra": all_models("Never"), "sc": all_models("Never"), "rlx+ra+ra": all_models("Never")})
family("RWC", ["Wx1", "Rx Ry", "Wy1 Rx"], "1:r0=1 /\\ 1:r1=0 /\\ 2:r0=0",
       uniform(["rlx", "ra", "sc"], 3) + [("rlx", "fsc", "fsc"), ("ra", "fsc", "fsc"), ("ra", "ra", "fsc")],
       {"rlx": "sc:Never tso:Sometimes rc11:Sometimes", "ra": "sc:Never tso:Sometimes rc11:Sometimes",
        "sc": all_models("Never"), "rlx+fsc+fsc": all_models("Never")})
family("W+RWC", ["Wx1 Wy1", "Ry Rz", "Wz1 Rx"], "1:r0=1 /\\ 1:r1=0 /\\ 2:r0=0",
       uniform(["rlx", "ra", "sc"], 3) + [("ra", "fsc", "fsc"), ("frel", "fsc", "fsc"), ("ra", "ra", "fsc")],
       {"rlx": "sc:Never tso:Sometimes rc11:Sometimes", "sc": all_models("Never"),
        "ra+fsc+fsc": all_models("Never")})
family("ISA2", ["Wx1 Wy1", "Ry Wz1", "Rz Rx"], "1:r0=1 /\\ 2:r0=1 /\\ 2:r1=0",
       uniform(["rlx", "ra", "sc", "far"], 3) + [("ra", "ra", "rlx"), ("frel", "ra", "facq"), ("rlx", "ra", "ra")],
       {"rlx": weak, "ra": all_models("Never"), "sc": all_models("Never"), "far": all_models("Never"),
        "ra+ra+rlx": weak})
test("ISA2+fsc+rlx-rel+acq-fsc", [["W x 1 rlx", "F sc", "W y 1 rlx"], ["R y rlx", "W z 1 rel"], ["R z acq", "F sc", "R x rlx"]],
     "1:r0=1 /\\ 2:r0=1 /\\ 2:r1=0", all_models("Never"),
     doc="the fences do not synchronize: from one to the other by reads-from, then happens-before")
family("Z6.0", ["Wx1 Wy1", "Ry Wz1", "Wz2 Rx"], "1:r0=1 /\\ [z]=2 /\\ 2:r0=0",
       uniform(["rlx", "ra", "sc", "fsc"], 3) + [("ra", "ra", "fsc"), ("ra", "fsc", "fsc")],
       {"rlx": "sc:Never tso:Sometimes rc11:Sometimes", "sc": all_models("Never"), "fsc": all_models("Never")})
family("Z6.3", ["Wx1 Wy1", "Wy2 Wz1", "Rz Rx"], "[y]=2 /\\ 2:r0=1 /\\ 2:r1=0", uniform(["rlx", "ra", "sc"], 3),
       {"rlx": weak, "ra": weak, "sc": all_models("Never")})
test("Z6.U", [["W x 1 sc", "W y 1 rel"], ["ADD y 1 sc", "R y rlx"], ["W y 3 sc", "R x sc"]],
     "1:r0=1 /\\ 1:r1=3 /\\ 2:r0=0", "sc:Never rc11:Sometimes",
     doc="allowed by RC11, forbidden by the original C11")
test("PPOCA", [["W x 1 rlx", "W y 1 rel"], ["R y rlx", "IF 1", "W z 1 rlx", "R z rlx", "IF 1", "R x rlx", "}", "}"]],
     "1:r0=1 /\\ 1:r1=1 /\\ 1:r2=0", weak, doc="a control dependency orders nothing in C")
test("PPOAA", [["W x 1 rlx", "W y 1 rel"], ["R y acq", "W z r0 rlx", "R z rlx", "IF 1", "R x rlx", "}"]],
     "1:r0=1 /\\ 1:r1=1 /\\ 1:r2=0", all_models("Never"))
test("MP+ctrl", [["W x 1 rlx", "W y 1 rel"], ["R y rlx", "IF 1", "R x rlx", "}"]], "1:r0=1 /\\ 1:r1=0 /\\ [y]=1", weak)
test("MP+ctrl+facq", [["W x 1 rlx", "W y 1 rel"], ["R y rlx", "IF 1", "F acq", "R x rlx", "}"]],
     "1:r0=1 /\\ 1:r1=0", all_models("Never"))

# Updates are atomic.
for o in ["rlx", "ar", "sc"]:
    test(f"2.ADD+{o}", [[f"ADD x 1 {o}"], [f"ADD x 1 {o}"]], "[x]=2", all_models("Always"))
    test(f"3.ADD+{o}", [[f"ADD x 1 {o}"]] * 3, "[x]=3", all_models("Always"))
    test(f"ADD-same+{o}", [[f"ADD x 1 {o}"], [f"ADD x 1 {o}"]], "0:r0=0 /\\ 1:r0=0",
         all_models("Never"))
    test(f"2.CAS+{o}", [[f"CAS x 0 1 {o}"], [f"CAS x 0 2 {o}"]], "0:r0=1 /\\ 1:r0=1", all_models("Never"))
    test(f"2.CAS-one+{o}", [[f"CAS x 0 1 {o}"], [f"CAS x 0 2 {o}"]], "0:r0=0 /\\ 1:r0=0", all_models("Never"))
    test(f"3.CAS+{o}", [[f"CAS x 0 1 {o}"], [f"CAS x 1 2 {o}"], [f"CAS x 2 0 {o}"]], "2:r0=1", all_models("Sometimes"))
    test(f"2.XCHG+{o}", [[f"XCHG x 1 {o}"], [f"XCHG x 2 {o}"]], "0:r0=2 /\\ 1:r0=1", all_models("Never"))
    test(f"ADD-store+{o}", [[f"ADD x 1 {o}", f"ADD x 1 {o}"], ["W x 5 rlx"]], "[x]=6", all_models("Sometimes"))
    test(f"SB-ADD+{o}", [[f"ADD x 1 {o}", "R y rlx"], [f"ADD y 1 {o}", "R x rlx"]], "0:r1=0 /\\ 1:r1=0",
         "sc:Never tso:Never")
    test(f"LB-ADD+{o}", [["R x rlx", f"ADD y 1 {o}"], ["R y rlx", f"ADD x 1 {o}"]], "0:r0=1 /\\ 1:r0=1",
         all_models("Never"))
    test(f"CAS-read+{o}", [["W x 1 rlx", f"CAS y 0 1 {o}"], [f"CAS y 1 2 {o}", "R x rlx"]], "1:r0=1 /\\ 1:r1=0",
         all_models("Never") if o != "rlx" else weak)
test("SB-CAS-failed", [["W x 1 rlx", "CAS y 7 8 sc"], ["W y 1 rlx", "CAS x 7 8 sc"]],
     "0:er0=0 /\\ 1:er0=0", "sc:Never tso:Never rc11:Sometimes",
     doc="a failed CAS is a read: no fence in C, locked on x86")

# Release sequences: continued by updates of any thread, broken by stores even of the same one (C++20; not so in C11).
test("RS+ADD", [["W x 1 rlx", "W y 1 rel"], ["ADD y 1 rlx"], ["R y acq", "R x rlx"]], "2:r0=2 /\\ 2:r1=0", all_models("Never"))
test("RS+XCHG", [["W x 1 rlx", "W y 1 rel"], ["XCHG y 2 rlx"], ["R y acq", "R x rlx"]],
     "1:r0=1 /\\ 2:r0=2 /\\ 2:r1=0", all_models("Never"))
test("RS+CAS", [["W x 1 rlx", "W y 1 rel"], ["CAS y 1 2 rlx"], ["R y acq", "R x rlx"]], "2:r0=2 /\\ 2:r1=0", all_models("Never"))
test("RS+two-ADD", [["W x 1 rlx", "W y 1 rel"], ["ADD y 1 rlx", "ADD y 1 rlx"], ["R y acq", "R x rlx"]],
     "2:r0=3 /\\ 2:r1=0", all_models("Never"))
test("RS+same-ADD", [["W x 1 rlx", "W y 1 rel", "ADD y 1 rlx"], ["R y acq", "R x rlx"]], "1:r0=2 /\\ 1:r1=0", all_models("Never"))
test("RS+same-store", [["W x 1 rlx", "W y 1 rel", "W y 2 rlx"], ["R y acq", "R x rlx"]], "1:r0=2 /\\ 1:r1=0", weak,
     doc="C++20 took the stores of the same thread out of release sequences", c11="Never")
test("RS+same-store-ADD", [["W x 1 rlx", "W y 1 rel", "W y 5 rlx"], ["ADD y 1 rlx"], ["R y acq", "R x rlx"]],
     "2:r0=6 /\\ 2:r1=0", weak, doc="an update of what a later store of the thread wrote", c11="Never")
test("RS+stores-of-two", [["W x 1 rlx", "W y 1 rel"], ["ADD y 1 rlx", "W y 5 rlx"], ["R y acq", "R x rlx"]],
     "1:r0=1 /\\ 2:r0=5 /\\ 2:r1=0", weak, doc="a thread continues its own sequences, not those that it has updated")
test("RS+other-store", [["W x 1 rlx", "W y 1 rel"], ["R y rlx", "W y 2 rlx"], ["R y acq", "R x rlx"]],
     "1:r0=1 /\\ 2:r0=2 /\\ 2:r1=0", weak)
test("RS+fence", [["W x 1 rlx", "F rel", "W y 1 rlx"], ["ADD y 1 rlx"], ["R y rlx", "F acq", "R x rlx"]],
     "2:r0=2 /\\ 2:r1=0", all_models("Never"))
test("RS+fence-later-store", [["W x 1 rlx", "F rel", "W y 1 rlx", "W y 2 rlx"], ["R y acq", "R x rlx"]],
     "1:r0=2 /\\ 1:r1=0", all_models("Never"), doc="a release fence covers every later store")
test("RS+ADD-rel", [["W x 1 rlx", "W y 1 rlx"], ["ADD y 1 rel"], ["R y acq", "R x rlx"]], "2:r0=2 /\\ 2:r1=0", weak)
test("RS+ADD-ar", [["W x 1 rlx", "W y 1 rel"], ["ADD y 1 ar"], ["R y acq", "R x rlx"]], "2:r0=2 /\\ 2:r1=0", all_models("Never"))
test("MP+ADD", [["W x 1 rlx", "ADD y 1 rel"], ["ADD y 1 acq", "R x rlx"]], "1:r0=1 /\\ 1:r1=0", all_models("Never"))

# Mixed SC and weaker accesses.
test("SB+sc+rlx-store", [["W x 1 rlx", "R y sc"], ["W y 1 rlx", "R x sc"]], "0:r0=0 /\\ 1:r0=0",
     "sc:Never tso:Sometimes rc11:Sometimes")
test("SB+fence-one-side", [["W x 1 rlx", "F sc", "R y rlx"], ["W y 1 sc", "R x sc"]], "0:r0=0 /\\ 1:r0=0", all_models("Never"))
test("MP+sc-fences", [["W x 1 rlx", "F sc", "W y 1 rlx"], ["R y rlx", "F sc", "R x rlx"]], "1:r0=1 /\\ 1:r1=0", all_models("Never"))
test("IRIW+sc-writes", [["W x 1 sc"], ["W y 1 sc"], ["R x acq", "R y sc"], ["R y acq", "R x sc"]],
     "2:r0=1 /\\ 2:r1=0 /\\ 3:r0=1 /\\ 3:r1=0", "sc:Never tso:Never rc11:Sometimes",
     doc="RC11 repairs C11: reads by acquire do not restore SC")
test("Dekker", [["W x 1 sc", "R y sc", "IF 0", "ADD z 1 rlx", "}"], ["W y 1 sc", "R x sc", "IF 0", "ADD z 1 rlx", "}"]],
     "[z]=2", all_models("Never"))
test("Peterson-gap", [["W x 1 rel", "W z 1 rel", "R y acq"], ["W y 1 rel", "W z 2 rel", "R x acq"]],
     "0:r0=0 /\\ 1:r0=0", "sc:Never tso:Sometimes rc11:Sometimes")

# Awaits, other quantifiers, initial values.
test("MP+await", [["W x 1 rlx", "W y 1 rel"], ["AWAIT y acq", "R x rlx"]], "1:r1=1", all_models("Always"), "forall")
test("MP+await-rlx", [["W x 1 rlx", "W y 1 rlx"], ["AWAIT y rlx", "R x rlx"]], "1:r1=0", weak, "~exists")
test("Ping-pong", [["W x 1 rel", "AWAIT y acq"], ["AWAIT x acq", "W y 1 rel"]], "0:r0=1 /\\ 1:r0=1", all_models("Always"), "forall")
test("Barrier", [["W z 1 rlx", "ADD x 1 ar", "AWAIT y acq", "R z rlx"], ["ADD x 1 ar", "R x acq", "IF 2", "W y 1 rel", "}"]],
     "0:r2=1", all_models("Always"), "forall")
test("Init", [["R x rlx", "W y 5 rlx"], ["R y rlx", "R x rlx"]], "0:r0=3 /\\ 1:r0=-4", all_models("Sometimes"), init="x=3; int y = -4;")
test("Init-never", [["R x rlx"], ["W x 2 rlx"]], "~(0:r0=7 \\/ 0:r0=2)", all_models("Never"), init="[x]=7;")

# Accesses that are not atomic. Races are judged in rc11 and, with every atomic as seq_cst, in sc.
test("NA-MP+ra", [["PW x 1", "W y 1 rel"], ["R y acq", "IF 1", "PR x", "}"]], "1:r0=1 /\\ 1:r1=0", all_models("Never"))
test("NA-MP+rlx", [["PW x 1", "W y 1 rlx"], ["R y rlx", "IF 1", "PR x", "}"]], "1:r0=1 /\\ 1:r1=0",
     "sc:Never tso:Never", races="rc11", doc="relaxed accesses order nothing")
test("NA-MP+fences", [["PW x 1", "F rel", "W y 1 rlx"], ["R y rlx", "IF 1", "F acq", "PR x", "}"]],
     "1:r0=1 /\\ 1:r1=0", all_models("Never"))
test("NA-MP+unchecked", [["PW x 1", "W y 1 rel"], ["R y acq", "PR x"]], "1:r0=1 /\\ 1:r1=0", races="sc rc11",
     doc="reads x whether or not it was published")
test("NA-MP+await", [["PW x 1", "W y 1 rel"], ["AWAIT y acq", "PR x"]], "1:r1=1", all_models("Always"), "forall")
test("NA-MP+await-rlx", [["PW x 1", "W y 1 rlx"], ["AWAIT y rlx", "PR x"]], "1:r1=1", "sc:Always tso:Always",
     "forall", races="rc11")
test("NA-RS+ADD", [["PW x 1", "W y 1 rel"], ["ADD y 1 rlx"], ["R y acq", "IF 2", "PR x", "}"]], "2:r0=2 /\\ 2:r1=0",
     all_models("Never"))
test("NA-RS+same-store", [["PW x 1", "W y 1 rel", "W y 2 rlx"], ["R y acq", "IF 2", "PR x", "}"]],
     "1:r0=2 /\\ 1:r1=0", "sc:Never tso:Never", races="rc11", doc="C++20 took these stores out of release sequences",
     c11="Never")
test("NA-WW", [["PW x 1"], ["PW x 2"]], "[x]=1", races="sc rc11")
test("NA-RR", [["PR x"], ["PR x"]], "0:r0=5 /\\ 1:r0=5", all_models("Always"), init="x=5;", doc="reads do not race")
test("NA-WA", [["PW x 1"], ["R x sc"]], "1:r0=1", races="sc rc11", doc="an atomic access on one side is not enough")
test("NA-private", [["PW x 1", "PR x", "PW x 2"], ["W y 1 rlx"]], "0:r0=1 /\\ [x]=2", all_models("Always"))
test("NA-lock", [["CAS y 0 1 acq", "IF 1", "PW x 1", "W y 0 rel", "}"], ["CAS y 0 1 acq", "IF 1", "PR x", "PW x 2", "W y 0 rel", "}"]],
     "0:r0=1 /\\ 1:r0=1 /\\ [x]=1 /\\ 1:r1=0", all_models("Sometimes"))
test("NA-unlock-rlx", [["CAS y 0 1 acq", "IF 1", "PW x 1", "W y 0 rlx", "}"], ["CAS y 0 1 acq", "IF 1", "PW x 2", "W y 0 rlx", "}"]],
     "[x]=0", "sc:Never tso:Never", races="rc11")
test("NA-SB", [["W x 1 sc", "R y sc", "IF 0", "PW z 1", "}"], ["W y 1 sc", "R x sc", "IF 0", "PW z 2", "}"]],
     "[z]=0", all_models("Sometimes"), doc="Dekker's mutual exclusion")
test("NA-SB+ra", [["W x 1 rel", "R y acq", "IF 0", "PW z 1", "}"], ["W y 1 rel", "R x acq", "IF 0", "PW z 2", "}"]],
     "[z]=0", all_models("Sometimes"), races="rc11")


# Where files go, by the beginning of their names; the first that fits.
FOLDERS = {
    "plain_accesses": "NA-",
    "coherence": "Co",
    "message_passing": "MP",
    "release_sequences": "RS",
    "store_buffering": r"SB|3\.SB|R\+|Dekker|Peterson",
    "load_buffering": r"LB|3\.LB",
    "two_writes": r"2\+2W|S\+",
    "independent_reads": r"IRIW|RWC|W\+RWC",
    "causality": r"WRC|ISA2|Z6|PPO",
    "updates": r"[23]\.(ADD|CAS|XCHG)|ADD|CAS",
    "other": "Ping-pong|Barrier|Init",
}


def folder_of(name):
    return next(folder for folder, beginning in FOLDERS.items() if re.match(beginning, name))


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    for name, content in files.items():
        folder = os.path.join(root, folder_of(name))
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, name + ".litmus"), "w") as f:
            f.write(content)
    print(len(files), "tests")


main()
