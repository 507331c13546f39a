#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random Promela programs, read by SPIN and by promela_states: both accept or refuse them, count the same states, and both
or none find an error. Some programs are broken on purpose, by a token that is lost, doubled or put elsewhere.

usage: fuzz.py --states PROGRAM [--count N] [--seed N] [--keep DIR] [-v]
"""
import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

MOST_STATES = 60000


class Generator:
    def __init__(self, rng):
        self.rng = rng
        self.locals = []
        self.labels = []
        self.wanted = []
        self.loops = 0
        self.d_step = False
        self.atomic = False

    def pick(self, *choices):
        return self.rng.choice(choices)

    def variable(self):
        r = self.rng.random()
        if self.locals and r < 0.4:
            return self.rng.choice(self.locals)
        if r < 0.55:
            return "a[%s]" % self.index()
        if r < 0.62:
            return "s.f"
        if r < 0.68:
            return "t[%s].g[%s]" % (self.index(), self.index())
        return self.pick("x", "y", "z", "b", "i", "u", "h")

    def index(self):
        return self.pick("0", "1", "x & 1", "y % 2", "b", "!z", "1 - b", "x") if self.rng.random() < 0.97 else "y"

    def expression(self, depth=0):
        r = self.rng.random()
        if depth > 2 or r < 0.3:
            return str(self.rng.randrange(4)) if self.rng.random() < 0.4 else self.variable()
        if r < 0.75:
            op = self.pick("+", "-", "*", "==", "!=", "<", ">", "<=", ">=", "&&", "||", "&", "|", "^", "<<", ">>")
            right = self.expression(depth + 1)
            if op in ("<<", ">>"):
                right = str(self.rng.randrange(3))
            return "%s %s %s" % (self.expression(depth + 1), op, right)
        if r < 0.8:
            return "%s %s %d" % (self.expression(depth + 1), self.pick("/", "%"), self.rng.randrange(1, 4))
        if r < 0.88:
            return "(%s)" % self.expression(depth + 1)
        if r < 0.93:
            return "(%s -> %s : %s)" % tuple(self.expression(depth + 1) for _ in range(3))
        if r < 0.95:
            return self.pick("_pid", "red", "blue", "true", "false")
        return self.pick("!", "-", "~") + "(%s)" % self.expression(depth + 1)

    def condition(self):
        return "(%s)" % self.expression(1) if self.rng.random() < 0.4 else "%s %s %s" % (
            self.variable(), self.pick("==", "!=", "<", ">"), self.rng.randrange(3))

    def assignment(self):
        v = self.variable()
        r = self.rng.random()
        if r < 0.2:
            return "%s = %s" % (v, self.rng.randrange(3) if v not in ("b", "h") else self.rng.randrange(2))
        if r < 0.3:
            return "%s = (%s + 1) %% 3" % (v, v)
        if r < 0.35 and v not in ("i",):
            return v + self.pick("++", "--") if self.rng.random() < 0.3 else "%s = 1 - %s" % (v, v)
        return "%s = (%s) & %d" % (v, self.expression(1), self.pick(1, 1, 3))

    def simple(self):
        r = self.rng.random()
        if r < 0.62:
            return self.assignment()
        if r < 0.8:
            return self.condition()
        if r < 0.84:
            return "assert(%s)" % (self.condition() if self.rng.random() < 0.2 else "x >= 0")
        if r < 0.87:
            return 'printf("%%d\\n", %s)' % self.variable()
        if r < 0.9:
            return "_ = %s" % self.expression(1)
        if r < 0.94:
            return self.pick("one(%s)", "two(%s, 1)") % self.variable()
        return "skip"

    def options(self, depth, in_do):
        lines = []
        count = self.rng.randrange(1, 4)
        for k in range(count):
            body = self.sequence(depth + 1, in_option=True)
            if in_do and self.rng.random() < 0.35:
                body = body + "; break" if self.rng.random() < 0.7 else "break"
            lines.append(":: " + body)
        if self.rng.random() < 0.4:
            lines.append(":: else" + (" -> " + self.sequence(depth + 1) if self.rng.random() < 0.6
                                      else "; break" if in_do else ""))
        elif in_do and not any("break" in line for line in lines):
            lines.append(":: break")
        return " ".join(lines)

    def block(self, depth, d_step=False):
        saved = self.loops, self.d_step
        if d_step:
            self.loops, self.d_step = 0, True
        text = self.sequence(depth + 1, in_option=True)
        self.loops, self.d_step = saved
        return text

    def compound(self, depth):
        r = self.rng.random()
        if r < 0.3:
            return "if %s fi" % self.options(depth, False)
        if r < 0.5:
            self.loops += 1
            text = "do %s od" % self.options(depth, True)
            self.loops -= 1
            return text
        if r < 0.7:
            if self.atomic or self.d_step:
                return "{ %s }" % self.block(depth)
            self.atomic = True
            text = "atomic { %s }" % self.block(depth)
            self.atomic = False
            return text
        if r < 0.8:
            if self.atomic:
                return "{ %s }" % self.block(depth)
            return "d_step { %s }" % self.block(depth, True)
        if r < 0.87:
            v = self.rng.choice(self.locals) if self.locals else "x"
            self.loops += 1
            text = "for (%s : %d .. %d) { %s }" % (v, self.rng.randrange(2), self.rng.randrange(1, 3),
                                                  self.block(depth))
            self.loops -= 1
            return text
        if r < 0.94:
            v = self.rng.choice(self.locals) if self.locals else "x"
            low = self.rng.randrange(2)
            high = "2" if self.rng.random() < 0.7 else "(y & 1) + 1"
            return "select (%s : %d .. %s)" % (v, low, high)
        return "{ %s }" % self.block(depth)

    def statement(self, depth):
        r = self.rng.random()
        if depth < 3 and r < 0.32:
            return self.compound(depth)
        if r < 0.37 and self.loops:
            return "break"
        if r < 0.42 and not self.d_step:
            name = "L%d" % self.rng.randrange(4)
            self.wanted.append(name)
            return "goto " + name
        return self.simple()

    def sequence(self, depth, in_option=False):
        parts = []
        for k in range(self.rng.randrange(1, 4)):
            s = self.statement(depth)
            if s == "skip" and parts and ("skip" in parts[-1] or "printf" in parts[-1]):
                continue  # SPIN drops skips in a row
            free = [n for n in range(4) if "L%d" % n not in self.labels]
            if free and not self.d_step and self.rng.random() < 0.12 and not (in_option and k == 0):
                name = "L%d" % self.rng.choice(free)
                self.labels.append(name)
                s = name + ": " + s
            parts.append(s)
        return self.pick("; ", "; ", " -> ").join(parts)

    def process(self, name):
        self.locals = ["p", "q"][: self.rng.randrange(3)]
        self.labels, self.wanted = [], []
        text = "\n".join("  byte %s%s;" % (v, self.pick("", " = 1")) for v in self.locals)
        body = self.sequence(0)
        if self.rng.random() < 0.5:
            body += "; " + self.sequence(0)
        for label in sorted(set(self.wanted)):
            if label not in self.labels:
                body += "; %s: skip" % label
        active = self.pick("active ", "active ", "active [2] ")
        parameters = ""
        if self.rng.random() < 0.2:
            parameters = "byte p"
            text = text.replace("  byte p;", "").replace("  byte p = 1;", "")
        return "%sproctype %s(%s) {\n%s\n  %s\n}\n" % (active, name, parameters, text, body)

    def program(self):
        self.locals = []
        text = "mtype = { red, blue };\ntypedef T { byte f; short g[2] }\n"
        text += "byte x, y = 1; short z; bool b; int i; unsigned u : 2; bit h; byte a[2]; T s; T t[2];\n"
        text += "inline one(v) { v = (v + x) & 1 }\ninline two(v, w) { if :: v == w -> v = 0 :: else -> y = w fi }\n"
        for k in range(self.rng.randrange(1, 3)):
            text += self.process("P%d" % k)
        if self.rng.random() < 0.2:
            self.locals = []
            passive = self.process("R").replace("active [2] ", "").replace("active ", "")
            argument = "2" if "(byte p)" in passive else ""
            text += passive
            runs = "; ".join("run R(%s)" % argument for _ in range(self.rng.randrange(1, 3)))
            text += "init { %s }\n" % ("atomic { %s }" % runs)
        return text


def break_it(rng, text):
    tokens = re.findall(r"\w+|\s+|::|->|\.\.|\S", text)
    places = [k for k, t in enumerate(tokens) if t.strip()]
    k = rng.choice(places)
    r = rng.random()
    if r < 0.4:
        tokens[k] = " "
    elif r < 0.6:
        tokens[k] += " " + tokens[k]
    elif r < 0.8:
        other = rng.choice(places)
        tokens[k], tokens[other] = tokens[other], tokens[k]
    else:
        tokens[k] = rng.choice(["x", "a", "T", "s", "red", "P0", "5", ";", "(", "}", "fi", "od", "else", "goto", "_",
                                "one", "timeout", "chan", "run", "::", "[", ".", "=="])
    return "".join(tokens)


def run(command, cwd, seconds=20):
    try:
        p = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds)
        return p.returncode, p.stdout.decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        return -1, "timeout"


def ask_spin(folder, compiler):
    """(accepted, states or None, has_error or None, message)"""
    code, out = run(["spin", "-a", "-o1", "-o2", "-o3", "m.pml"], folder)
    accepted = code == 0 and not re.search(r"\berror\b", out, re.I)
    if "placed incorrectly" in out and "Error" not in out:
        accepted = code == 0
    if not accepted:
        return False, None, None, out.strip().replace("\n", " | ")[:200]
    code, out = run(compiler + ["-w", "-DNOREDUCE", "-DSAFETY", "-DMEMLIM=500", "-o", "pan", "pan.c"], folder)
    if code != 0:
        return False, None, None, "pan.c: " + out[:200]
    code, out = run(["./pan", "-E", "-m200000", "-c1"], folder)
    if "max search depth" in out or "timeout" in out or code < 0 or "out of memory" in out or "states, stored" not in out:
        return True, None, None, "pan: " + out.strip()[-100:]
    errors = int(re.search(r"errors: (\d+)", out).group(1))
    return True, int(re.search(r"(\d+) states, stored", out).group(1)), errors > 0, ""


def ask_us(folder, states):
    code, out = run([states, "--most", str(MOST_STATES), "m.pml"], folder)
    if code == 2:
        return False, None, None, out.strip()
    m = re.search(r"(\d+) states, (\d+) steps, (\d+) deadlocks, (\d+) faults", out)
    if not m:
        return None, None, None, "crash: " + out[-2000:]
    return True, int(m.group(1)), int(m.group(4)) > 0, out.strip()


def compare(spin, us):
    """What differs, or None."""
    if us[0] is None:
        return us[3]
    outside = "[PL0602]" in us[3]
    if spin[0] != us[0]:
        if not us[0] and outside:
            return None
        if us[0] and "jump into d_step" in spin[3]:
            return None  # SPIN refuses jumps to where a d_step begins
        return "SPIN %s: %s; we %s: %s" % ("accepts" if spin[0] else "refuses", spin[3],
                                           "accept" if us[0] else "refuse", us[3])
    if not us[0] or spin[1] is None or us[1] >= MOST_STATES:
        return None
    if "never ends" in us[3]:
        return None  # SPIN passes over an atomic that goes in a circle
    if spin[2] != us[2]:
        return "SPIN finds %s error, we find %s: %s" % ("an" if spin[2] else "no", "one" if us[2] else "none", us[3])
    if not us[2] and spin[1] != us[1]:
        return "SPIN has %d states, we have %d" % (spin[1], us[1])
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--states", required=True)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--broken", type=float, default=0.3, help="part of the programs that is broken on purpose")
    parser.add_argument("--keep", help="where programs are kept that differ")
    parser.add_argument("-v", action="store_true")
    options = parser.parse_args()
    states = os.path.abspath(options.states)
    compiler = ["tcc"] if shutil.which("tcc") else ["cc", "-O0"]
    totals = {"accepted": 0, "refused": 0, "compared": 0, "errors": 0, "different": 0}
    with tempfile.TemporaryDirectory() as folder:
        for k in range(options.seed, options.seed + options.count):
            rng = random.Random(k)
            text = Generator(rng).program()
            is_broken = rng.random() < options.broken
            if is_broken:
                text = break_it(rng, text)
            with open(os.path.join(folder, "m.pml"), "w") as f:
                f.write(text)
            if os.path.exists(os.path.join(folder, "pan.c")):
                os.remove(os.path.join(folder, "pan.c"))
            us, spin = ask_us(folder, states), ask_spin(folder, compiler)
            totals["accepted" if us[0] else "refused"] += 1
            totals["compared"] += bool(us[0] and spin[1] is not None and us[1] < MOST_STATES)
            totals["errors"] += bool(us[2])
            difference = compare(spin, us)
            if options.v:
                print(k, spin, us)
            if difference:
                totals["different"] += 1
                print("seed %d%s: %s" % (k, " (broken)" if is_broken else "", difference))
                if options.keep:
                    os.makedirs(options.keep, exist_ok=True)
                    shutil.copy(os.path.join(folder, "m.pml"), os.path.join(options.keep, "%d.pml" % k))
    print(", ".join("%d %s" % (n, what) for what, n in totals.items()))
    return 1 if totals["different"] else 0


if __name__ == "__main__":
    sys.exit(main())
