# SPDX-License-Identifier: Apache-2.0
"""Random small programs with loops of several kinds: as data, and as instructions for tests/campaigns/loop_truth.c.

A statement is a tuple whose first member says what it is; r are registers (numbers), x and p atomic and plain cells, m mutexes, v
constants, or registers as 'r2':
  (load r x o) (store x v o) (xchg|add|xor r x v o) (cas r x v v o) (casv r r x v o) (fence o)      o: rlx acq rel ar sc
  (get r p) (put p v) (lock m) (try m r) (unlock m)       (set r v) (inc r k) (flip r k) (mod r k)
  (yield) (stat t) (check r c k) (if r c k [then] [else]) (do [body] r c k) (loop [body]) (break)     c: == != > <
(stat t) counts in memory that nothing reads, for each thread its own."""
import random

KINDS = ("cache", "counter", "back-off", "cas", "wait-lock", "toggle", "observed", "mixed")
COMPARISONS = ("==", "!=", ">", "<")
REGISTERS = 8


class Program:
    """Cells are atomics first, then plain ones: private of thread t, or `shared` and protected by mutex 0. `style`: of the C,
    "pointers" to plain cells, or "calls" for loads and tries."""

    def __init__(self, kind, atomics, plain, mutexes, threads, results, style=""):
        self.kind, self.atomics, self.plain, self.mutexes = kind, atomics, plain, mutexes
        self.threads, self.results, self.style = threads, results, style

    def copy(self, threads=None, results=None, style=None):
        return Program(self.kind, self.atomics, self.plain, self.mutexes, threads or self.threads, results or self.results,
                       self.style if style is None else style)

    def private(self):
        """Plain cells that one thread alone accesses."""
        users = {}
        for t, body in enumerate(self.threads):
            for s in statements(body):
                if s[0] in ("get", "put"):
                    users.setdefault(s[2] if s[0] == "get" else s[1], set()).add(t)
        return [self.atomics + p for p in range(self.plain) if len(users.get(self.atomics + p, ())) < 2]

    def orders(self):
        return {s[-1] for body in self.threads for s in statements(body) if s[0] in WITH_ORDER}


WITH_ORDER = ("load", "store", "xchg", "add", "xor", "cas", "casv", "fence")


def statements(body):
    for s in body:
        yield s
        for part in s:
            if isinstance(part, list):
                yield from statements(part)


def is_as_sc(program):
    """Under rc11, too. A try that fails is not ordered by anything."""
    return program.orders() <= {"sc"} and not any(s[0] == "try" for body in program.threads for s in statements(body))


# Making them.

class Maker:
    def __init__(self, rng):
        self.rng = rng
        self.kind = rng.choice(KINDS)
        self.weak = rng.random() < 0.6
        self.atomics = rng.choice((2, 2, 3, 4))
        self.mutexes = rng.choice((1, 1, 2)) if self.kind not in ("back-off", "mixed") else 2
        self.count = rng.choice((2, 2, 3))
        self.plain = self.count + 1  # one of each thread, and one that is shared under mutex 0
        self.fails = rng.random() < 0.15  # some assertion inside of a thread
        self.races = rng.random() < 0.06  # shared plain accesses without the lock
        self.used = [0] * self.count
        self.wanted = []  # statements that would end loops, with the thread that waits
        self.watched = []  # cells that loops write
        self.tallies = set()  # registers, with their threads, that only count

    def order(self, what):
        if not self.weak or self.rng.random() < 0.25:
            return "sc"
        return self.rng.choice({"load": ("rlx", "acq"), "store": ("rlx", "rel"), "update": ("rlx", "acq", "rel", "ar")}[what])

    def cell(self):
        return self.rng.randrange(self.atomics)

    def own(self, t):
        return self.atomics + t

    def shared(self):
        return self.atomics + self.count

    def fresh(self, t):
        self.used[t] = min(self.used[t] + 1, REGISTERS)
        return self.used[t] - 1 if self.used[t] < REGISTERS else self.rng.randrange(REGISTERS)

    def mutex(self):
        return self.rng.randrange(self.mutexes)

    def load(self, t, x=None, r=None):
        return ("load", self.fresh(t) if r is None else r, self.cell() if x is None else x, self.order("load"))

    def store(self, x=None, v=None):
        return ("store", self.cell() if x is None else x, self.rng.choice((0, 1, 1, 2)) if v is None else v, self.order("store"))

    def simple(self, t, locked=False, depth=0):
        """One or a few statements without a loop."""
        rng, pick = self.rng, self.rng.randrange(22)
        if pick < 6:
            watched = self.watched and rng.random() < 0.5
            return [self.load(t, rng.choice(self.watched) if watched else None)]
        if pick < 9:
            return [self.store()]
        if pick == 9:
            return [("add", self.fresh(t), self.cell(), 1, self.order("update"))]
        if pick == 10:
            return [("xchg", self.fresh(t), self.cell(), rng.choice((0, 1, 2)), self.order("update"))]
        if pick == 11:
            return [("cas", self.fresh(t), self.cell(), rng.choice((0, 1)), rng.choice((0, 1, 2)), self.order("update"))]
        if pick == 12:
            return [("fence", "sc")] if rng.random() < 0.5 else [("put", self.own(t), rng.choice((0, 1, 2)))]
        if pick < 16 and not locked and depth == 0:
            return self.section(t)
        if pick < 18 and not locked and depth == 0:
            r, m = self.fresh(t), self.mutex()
            inside = self.inside(t, m) if rng.random() < 0.5 else []
            return [("try", m, r), ("if", r, "==", 1, inside + [("unlock", m)], [])]
        if pick == 18 and depth == 0:
            r = self.fresh(t)
            return [self.load(t, r=r), ("if", r, rng.choice(("==", "!=")), rng.choice((0, 1)), self.simple(t, locked, 1), [])]
        if pick == 19 and self.fails:
            r = self.fresh(t)
            return [self.load(t, r=r), ("check", r, rng.choice(("!=", "==")), rng.choice((0, 1, 2)))]
        if pick == 20 and self.races:
            return [("put", self.shared(), 1)] if rng.random() < 0.5 else [("get", self.fresh(t), self.shared())]
        return [self.load(t)]

    def inside(self, t, m):
        if m == 0 and self.rng.random() < 0.5:
            if self.rng.random() < 0.5:
                return [("put", self.shared(), self.rng.choice((1, 2)))]
            return [("get", self.fresh(t), self.shared())]
        return self.simple(t, True, 1)

    def section(self, t):
        m = self.mutex()
        return [("lock", m)] + self.inside(t, m) + [("unlock", m)]

    def some(self, t, most):
        return [s for _ in range(self.rng.randrange(most + 1)) for s in self.simple(t)]

    def noise(self, t):
        """In a round, beside what it is about."""
        rng, pick = self.rng, self.rng.randrange(12)
        if pick < 2:
            return [("yield",)]
        if pick == 2:
            return [("stat", t)]
        if pick == 3:
            return [self.load(t)]
        return self.tally(t) if pick == 4 else []

    def tally(self, t):
        """Counts the rounds in memory of its own, which mostly nobody reads but to count on."""
        r, p = self.fresh(t), self.own(t)
        self.tallies.add((t, r))
        return [("get", r, p), ("inc", r, 1), ("mod", r, self.rng.choice((2, 3, 4))), ("put", p, f"r{r}")]

    def waits(self, t, x, value=1):
        """Somebody else should make that loop end."""
        self.wanted.append((t, self.store(x, value)))

    # One loop of each kind.

    def loop(self, t, kind):
        return {"cache": self.cache, "counter": self.counter, "back-off": self.back_off, "cas": self.exchange,
                "wait-lock": self.wait_lock, "toggle": self.toggle, "observed": self.toggle}[kind](t)

    def cache(self, t):
        rng, r, p, x = self.rng, self.fresh(t), self.own(t), self.cell()
        self.waits(t, x, rng.choice((1, 1, 2)))
        get, load, put = ("get", r, p), self.load(t, x, r), ("put", p, f"r{r}")
        shape = rng.randrange(4)
        if shape == 0:
            return [("loop", [get, ("if", r, "!=", 0, [("break",)], []), load, put] + self.noise(t))]
        if shape == 1:  # keeps what it saw, and goes on when it sees something else than before
            s = self.fresh(t)
            return [("loop", [load, get, ("set", s, f"r{r}"), self.load(t, x, r), put, ("if", r, "!=", 0, [("break",)], [])] + self.noise(t))]
        if shape == 2:  # written and restored
            return [("do", [("put", p, 1)] + self.noise(t) + [load, ("put", p, 0)], r, "==", 0)]
        return [("do", self.noise(t) + [load, put], r, "==", 0)]

    def counter(self, t):
        rng, r, n, x = self.rng, self.fresh(t), self.fresh(t), self.cell()
        self.waits(t, x)
        most, load = rng.choice((1, 1, 2, 3)), self.load(t, x, r)
        memory = rng.random() < 0.4
        count = [("inc", n, 1)]
        clear = [("set", n, 0)]
        if memory:
            count, clear = [("get", n, self.own(t)), ("inc", n, 1), ("put", self.own(t), f"r{n}")], [("put", self.own(t), 0)]
        shape = rng.randrange(4)
        tail = [("if", r, "!=", 0, [("break",)], [])]
        if shape < 2:  # every now and then something that does not matter
            return [("loop", [load] + tail + count + [("if", n, ">", most, [("yield",)] + clear, [])])]
        if shape == 2:  # bounded patience
            slow = self.fresh(t)
            return [("loop", [load] + tail + count + [("if", n, ">", most, [("set", slow, 1), ("break",)], [])])]
        return [("loop", [load] + tail + [("flip", n, 1), ("if", n, "==", 1, [self.load(t)], [("yield",)])])]

    def back_off(self, t):
        rng, a = self.rng, self.mutex()
        b = 1 - a
        r, s = self.fresh(t), self.fresh(t)
        inside = self.inside(t, rng.choice((a, b))) if rng.random() < 0.7 else []
        noise = self.noise(t)
        shape = rng.randrange(4)
        if shape == 0:
            return [("loop", [("lock", a), ("try", b, r), ("if", r, "==", 1, [("break",)], []), ("unlock", a)] + noise)] + inside + [
                ("unlock", b), ("unlock", a)]
        if shape == 1:
            return [("loop", [("try", a, r), ("if", r, "==", 1, [("try", b, s), ("if", s, "==", 1, [("break",)], []), ("unlock", a)], [])] + noise)
                    ] + inside + [("unlock", a), ("unlock", b)]
        if shape == 2:
            return [("loop", [("try", a, r), ("if", r, "==", 1, [("break",)], [])] + noise)] + (self.inside(t, a)) + [("unlock", a)]
        return [("loop", [("lock", a), ("try", b, r), ("if", r, "==", 1, [("break",)], []), ("unlock", a),  # the other one first
                          ("lock", b), ("try", a, r), ("if", r, "==", 1, [("break",)], []), ("unlock", b)])] + inside + [
            ("unlock", a), ("unlock", b)]

    def exchange(self, t):
        rng, r, s, x = self.rng, self.fresh(t), self.fresh(t), self.cell()
        o, shape = self.order("update"), rng.randrange(5)
        inside, free = self.simple(t, False, 1), self.store(x, 0)
        if shape == 0:
            e = self.fresh(t)
            return [("loop", [self.load(t, x, r), ("set", e, f"r{r}"), ("inc", e, 1), ("cas", s, x, f"r{r}", f"r{e}", o),
                              ("if", s, "==", 1, [("break",)], [])] + self.noise(t))]
        if shape == 1:
            return [("do", self.noise(t) + [("cas", s, x, 0, 1, o)], s, "==", 0)] + inside + [free]
        if shape == 2:
            return [self.load(t, x, r), ("loop", [("casv", s, r, x, rng.choice((0, 1, 2)), o), ("if", s, "==", 1, [("break",)], [])])]
        if shape == 3:
            return [("do", self.noise(t) + [("xchg", s, x, 1, o)], s, "!=", 0)] + inside + [free]
        return [("loop", [self.load(t, x, r), ("if", r, "==", 0, [("xchg", s, x, 1, o), ("if", s, "==", 0, [("break",)], [])], [])])] + inside + [free]

    def wait_lock(self, t):
        rng, r, m, x = self.rng, self.fresh(t), self.mutex(), self.cell()
        if rng.random() < 0.4:  # what it waits for is plain
            m, p = 0, self.shared()
            self.wanted.append((t, [("lock", 0), ("put", p, 1), ("unlock", 0)]))
            look = ("get", r, p)
        else:
            look, end = self.load(t, x, r), self.store(x, 1)
            self.wanted.append((t, [("lock", m), end, ("unlock", m)] if rng.random() < 0.5 else end))
        extra = [self.load(t)] if rng.random() < 0.2 else []
        if rng.random() < 0.2:
            s = self.fresh(t)
            return [("loop", [("try", m, s), ("if", s, "==", 1, [look, ("unlock", m), ("if", r, "!=", 0, [("break",)], [])], [])] + self.noise(t))]
        return [("do", [("lock", m), look] + extra + [("unlock", m)] + self.noise(t), r, "==", 0)]

    def toggle(self, t):
        rng, r, x = self.rng, self.fresh(t), self.cell()
        y = rng.choice([c for c in range(self.atomics) if c != x])
        self.watched += [x, x]
        self.waits(t, y)
        o, shape, look = self.order("update"), rng.randrange(6), self.load(t, y, r)
        on, off = self.store(x, rng.choice((1, 2))), self.store(x, 0)
        if shape < 3:
            body = [on] + (self.noise(t) if rng.random() < 0.3 else []) + [off, look]
        elif shape == 3:
            s = self.fresh(t)
            body = [("xor", s, x, 1, o), ("xor", s, x, 1, o), look]
        elif shape == 4:
            s = self.fresh(t)
            body = [("xchg", s, x, 1, o), ("store", x, f"r{s}", self.order("store")), look]
        else:
            body = [off, look]
        return [("do", body, r, "==", 0)]

    def observe(self, t):
        x = self.rng.choice(self.watched)
        return [self.load(t, x) for _ in range(self.rng.choice((2, 3, 3, 4)))]

    def program(self):
        rng = self.rng
        bodies = [[] for _ in range(self.count)]
        with_loop = [0] + [t for t in range(1, self.count) if rng.random() < (0.6 if self.kind in ("back-off", "cas", "wait-lock") else 0.25)]
        for t in with_loop:
            kind = rng.choice(KINDS[:-1]) if self.kind == "mixed" else self.kind
            bodies[t] = self.some(t, 2) + self.loop(t, kind) + self.some(t, 2)
        for t in range(self.count):
            if t not in with_loop:
                looks = self.observe(t) if self.kind == "observed" and self.watched else []
                bodies[t] = self.some(t, 2) + looks + self.some(t, 2) + self.simple(t)
        self.add_wanted(bodies)
        if rng.random() < 0.25:
            self.add_knowing(bodies, rng.choice(with_loop))
        if rng.random() < 0.25 and self.kind in ("wait-lock", "back-off", "mixed"):
            u = rng.randrange(self.count)
            bodies[u] += self.tries(u)
        order = list(range(self.count))
        rng.shuffle(order)
        return self.finish([bodies[t] for t in order])

    def add_knowing(self, bodies, t):
        """Another thread knows that the loop of t is over, and looks at what its rounds did."""
        rng, z = self.rng, self.cell()
        u = rng.choice([v for v in range(self.count) if v != t])
        r, looks = self.fresh(u), [self.load(u, rng.choice(self.watched or [self.cell()])) for _ in range(rng.choice((2, 3)))]
        if rng.random() < 0.4:
            looks = [("get", self.fresh(u), self.own(t))]
        bodies[t].append(self.store(z, 3))
        bodies[u] += [self.load(u, z, r), ("if", r, "==", 3, looks, [])]

    def tries(self, t):
        """One after the other, each undone."""
        m, tried = self.mutex(), []
        for _ in range(self.rng.choice((2, 2, 3))):
            r = self.fresh(t)
            tried += [("try", m, r), ("if", r, "==", 1, [("unlock", m)], [])]
        return tried

    def add_wanted(self, bodies):
        rng = self.rng
        for t, what in self.wanted:
            if rng.random() < 0.05:
                continue
            body = bodies[rng.choice([u for u in range(self.count) if u != t])]
            places = [i for i in range(len(body) + 1) if is_outside(body, i)]
            at = rng.choice(places[-2:] if rng.random() < 0.6 else places)
            body[at:at] = what if isinstance(what, list) else [what]

    def finish(self, bodies):
        results = []
        for t, body in enumerate(bodies):
            if self.tallies and self.rng.random() < 0.3:
                body.append(("get", self.fresh(t), self.own(t)))
            written = sorted({r for s in statements(body) for r in written_registers(s)})
            results.append([r for r in written if self.rng.random() < (0.1 if (t, r) in self.tallies else 0.75)])
        style = self.rng.choice(("", "", "pointers", "calls"))
        return Program(self.kind, self.atomics, self.plain, self.mutexes, bodies, results, style)


def is_outside(body, at):
    """No lock is held there."""
    depth = 0
    for s in body[:at]:
        for u in statements([s]):
            depth += (u[0] == "lock") - (u[0] == "unlock")
    kinds = [u[0] for u in statements(body[:at])]
    held = kinds.count("lock") + kinds.count("try") - kinds.count("unlock")
    return depth == 0 and (held <= 0 or kinds[-1] == "if")


def written_registers(s):
    if s[0] in ("load", "xchg", "add", "xor", "cas", "get", "set", "inc", "flip", "mod"):
        return [s[1]]
    if s[0] == "casv":
        return [s[1], s[2]]
    return [s[2]] if s[0] == "try" else []


def make(seed):
    return Maker(random.Random(seed)).program()


# As instructions of loop_truth.

def flatten(body):
    out = []
    emit(body, out, [])
    out.append(["end"])
    return out


def emit(body, out, breaks):
    for s in body:
        if s[0] == "if":
            branch = ["unless", s[1], COMPARISONS.index(s[2]), s[3], None]
            out.append(branch)
            emit(s[4], out, breaks)
            if s[5]:
                over = ["jump", None]
                out.append(over)
                branch[4] = len(out)
                emit(s[5], out, breaks)
                over[1] = len(out)
            else:
                branch[4] = len(out)
        elif s[0] in ("do", "loop"):
            start, mine = len(out), []
            emit(s[1], out, mine)
            if s[0] == "do":
                out.append(["unless", s[2], COMPARISONS.index(s[3]), s[4], len(out) + 2])
            out.append(["jump", start])
            for jump in mine:
                jump[1] = len(out)
        elif s[0] == "break":
            breaks.append(["jump", None])
            out.append(breaks[-1])
        elif s[0] == "check":
            out.append(["check", s[1], COMPARISONS.index(s[2]), s[3]])
        elif s[0] == "store":
            out.append(["store", s[1], s[2], 0, int(s[3] == "sc")])
        elif s[0] in WITH_ORDER:
            out.append(list(s[:-1]))
        elif s[0] != "stat":
            out.append(list(s))


def instructions(program, name):
    lines = [f"program {name}", f"cells {program.atomics + program.plain}",
             "private " + " ".join(map(str, program.private()))]
    lines += [f"results {t} " + " ".join(map(str, r)) for t, r in enumerate(program.results)]
    for body in program.threads:
        lines.append("thread")
        lines += [" ".join(map(str, i)) for i in flatten(body)]
    return "\n".join(lines + ["done"]) + "\n"


def size(program):
    return sum(len(flatten(body)) - 1 for body in program.threads)


# Smaller ones.

def smaller_bodies(body):
    for i, s in enumerate(body):
        yield body[:i] + body[i + 1:]
        for k, part in enumerate(s):
            if isinstance(part, list):
                if s[0] == "if" and part:
                    yield body[:i] + part + body[i + 1:]
                for less in smaller_bodies(part):
                    yield body[:i] + [s[:k] + (less,) + s[k + 1:]] + body[i + 1:]
        if s[0] in WITH_ORDER and s[-1] != "sc":
            yield body[:i] + [s[:-1] + ("sc",)] + body[i + 1:]


def is_sound(body, inside=False):
    """Breaks are in loops, and every round has a visible step."""
    for s in body:
        if s[0] == "break" and not inside:
            return False
        if s[0] in ("do", "loop") and not any(u[0] in VISIBLE for u in s[1]):
            return False
        if not all(is_sound(part, inside or s[0] in ("do", "loop")) for part in s if isinstance(part, list)):
            return False
    return True


VISIBLE = ("load", "store", "xchg", "add", "xor", "cas", "casv", "lock", "try")


def smaller(program):
    """Programs with one thread, statement or result less."""
    if program.style:
        yield program.copy(style="")
    for t in range(len(program.threads)):
        if len(program.threads) > 1:
            yield program.copy(program.threads[:t] + program.threads[t + 1:], program.results[:t] + program.results[t + 1:])
        for body in smaller_bodies(program.threads[t]):
            if is_sound(body):
                yield program.copy(program.threads[:t] + [body] + program.threads[t + 1:])
        for r in program.results[t]:
            yield program.copy(results=program.results[:t] + [[q for q in program.results[t] if q != r]] + program.results[t + 1:])


# What is known by hand: a name, a program, for each model final values that there are and that there are not, whether there are dead ends,
# whether plain accesses meet.

def by_hand(atomics, plain, mutexes, threads, results):
    return Program("by hand", atomics, plain, mutexes, threads, results)


def known():
    buffering = by_hand(2, 0, 0, [[("store", 0, 1, "rlx"), ("load", 0, 1, "rlx")], [("store", 1, 1, "rlx"), ("load", 0, 0, "rlx")]], [[0], [0]])
    yield "store buffering", buffering, {"sc": (["0 0 1 0 1 1"], ["0 0 0 0 1 1"]), "tso": (["0 0 0 0 1 1", "1 0 1 0 1 1"], [])}, 0, 0
    fenced = buffering.copy([[body[0], ("fence", "sc"), body[1]] for body in buffering.threads])
    yield "with fences", fenced, {"tso": (["0 0 1 0 1 1"], ["0 0 0 0 1 1"])}, 0, 0
    crossed = by_hand(1, 0, 2, [[("lock", 0), ("lock", 1), ("unlock", 1), ("unlock", 0)], [("lock", 1), ("lock", 0), ("unlock", 0), ("unlock", 1)]], [[], []])
    yield "crossed locks", crossed, {"sc": (["0 0 0"], [])}, 1, 0
    waiting = by_hand(2, 0, 0, [[("do", [("store", 0, 0, "sc"), ("load", 0, 1, "sc")], 0, "==", 0)],
                                [("store", 0, 2, "sc"), ("load", 0, 0, "sc"), ("store", 0, 3, "sc"), ("load", 1, 0, "sc"), ("store", 1, 1, "sc")]], [[], [0, 1]])
    yield "two rounds", waiting, {"sc": (["0 0 0 0 0 1", "0 2 3 0 0 1"], ["0 3 3 0 0 1"])}, 0, 0
    forgotten = waiting.copy([waiting.threads[0], waiting.threads[1][:-1]])
    yield "forever", forgotten, {"sc": ([], ["0 0 0 0 0 1"])}, 1, 0
    plain = by_hand(1, 1, 0, [[("put", 1, 1)], [("get", 0, 1)]], [[], [0]])
    yield "a race", plain, {"sc": (["0 0 0 0 1", "0 1 0 0 1"], [])}, 0, 1
