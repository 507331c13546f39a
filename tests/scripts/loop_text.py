# SPDX-License-Identifier: Apache-2.0
"""Programs of loop_programs.py as C."""
from loop_programs import statements, written_registers

ORDERS = {"rlx": "relaxed", "acq": "acquire", "rel": "release", "ar": "acq_rel", "sc": "seq_cst"}


def c_source(v):
    return v if isinstance(v, str) else str(v)


def c_order(o):
    return "memory_order_" + ORDERS[o]


def c_failure(o):
    return c_order({"rel": "rlx", "ar": "acq"}.get(o, o))


def c_call(s, end):
    """Loads and tries by functions that are not inlined."""
    if s[0] == "load":
        return f"r{s[1]} = look_{s[3]}(&c{s[2]}{end});"
    return f"r{s[2]} = try_lock(&m{s[1]}{end});"


def c_simple(s, end, style=""):
    """A statement without parts. Names end in `end`, so that a file has room for several programs."""
    def x(c): return f"c{c}{end}"
    kind = s[0]
    if style == "calls" and kind in ("load", "try"):
        return c_call(s, end)
    if style == "pointers" and kind in ("get", "put"):
        return f"r{s[1]} = *p{s[2]};" if kind == "get" else f"*p{s[1]} = {c_source(s[2])};"
    if kind == "load":
        return f"r{s[1]} = atomic_load_explicit(&{x(s[2])}, {c_order(s[3])});"
    if kind == "store":
        return f"atomic_store_explicit(&{x(s[1])}, {c_source(s[2])}, {c_order(s[3])});"
    if kind in ("xchg", "add", "xor"):
        name = {"xchg": "exchange", "add": "fetch_add", "xor": "fetch_xor"}[kind]
        return f"r{s[1]} = atomic_{name}_explicit(&{x(s[2])}, {c_source(s[3])}, {c_order(s[4])});"
    if kind == "cas":
        return (f"{{ int old = {c_source(s[3])}; r{s[1]} = atomic_compare_exchange_strong_explicit(&{x(s[2])}, &old, {c_source(s[4])}, "
                f"{c_order(s[5])}, {c_failure(s[5])}); }}")
    if kind == "casv":
        return (f"{{ int old = r{s[2]}; r{s[1]} = atomic_compare_exchange_strong_explicit(&{x(s[3])}, &old, {c_source(s[4])}, "
                f"{c_order(s[5])}, {c_failure(s[5])}); r{s[2]} = old; }}")
    if kind == "check":
        return f"CHECK(r{s[1]} {s[2]} {s[3]});"
    return {"fence": lambda: f"atomic_thread_fence({c_order(s[1])});", "get": lambda: f"r{s[1]} = {x(s[2])};",
            "put": lambda: f"{x(s[1])} = {c_source(s[2])};", "lock": lambda: f"pthread_mutex_lock(&m{s[1]}{end});",
            "try": lambda: f"r{s[2]} = pthread_mutex_trylock(&m{s[1]}{end}) == 0;",
            "unlock": lambda: f"pthread_mutex_unlock(&m{s[1]}{end});", "set": lambda: f"r{s[1]} = {c_source(s[2])};",
            "inc": lambda: f"r{s[1]} += {s[2]};", "flip": lambda: f"r{s[1]} ^= {s[2]};", "mod": lambda: f"r{s[1]} %= {s[2]};",
            "yield": lambda: "sched_yield();", "stat": lambda: f"statistics{s[1]}{end}++;", "break": lambda: "break;"}[kind]()


def c_body(body, end, style, indent):
    lines, tab = [], "    " * indent
    for s in body:
        if s[0] == "if":
            lines += [f"{tab}if (r{s[1]} {s[2]} {s[3]}) {{"] + c_body(s[4], end, style, indent + 1)
            lines += ([f"{tab}}} else {{"] + c_body(s[5], end, style, indent + 1) if s[5] else []) + [f"{tab}}}"]
        elif s[0] == "do":
            lines += [f"{tab}do {{"] + c_body(s[1], end, style, indent + 1) + [f"{tab}}} while (r{s[2]} {s[3]} {s[4]});"]
        elif s[0] == "loop":
            lines += [f"{tab}for (;;) {{"] + c_body(s[1], end, style, indent + 1) + [f"{tab}}}"]
        else:
            lines.append(tab + c_simple(s, end, style))
    return lines


C_HEAD = """#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#ifdef VERDICT
#define CHECK(c) assert(c)
#else
#define CHECK(c) (failed |= !(c))
#endif
#define LOOK(order, name) \\
    static __attribute__((noinline)) int look_##name(atomic_int *x) { return atomic_load_explicit(x, memory_order_##order); }
LOOK(relaxed, rlx)
LOOK(acquire, acq)
LOOK(seq_cst, sc)
static __attribute__((noinline)) int try_lock(pthread_mutex_t *m)
{
    return pthread_mutex_trylock(m) == 0;
}
void outcome_write(const char *path, const char *text, long length);
static void finish(const int *values, int count)
{
    char text[128];
    int n = 0;
    for (int i = 0; i < count; i++) {
        if (values[i] >= 10)
            text[n++] = (char)('0' + values[i] / 10);
        text[n++] = (char)('0' + values[i] % 10);
        text[n++] = i + 1 < count ? ' ' : '\\n';
    }
#ifdef VERDICT
    const char *lost = getenv("LOST");
    text[n - 1] = 0;
    assert(!lost || strcmp(text, lost) != 0);
#else
    outcome_write(getenv("OUTCOMES"), text, n);
#endif
}
"""


def c_pointers(program, t, end):
    """The cells of a thread come to it as an argument, others by name."""
    if program.style != "pointers":
        return []
    cells = range(program.atomics, program.atomics + program.plain)
    return [f"    int *p{c} = {'arg' if c == program.atomics + t else f'&c{c}{end}'};" for c in cells]


def c_thread(program, t, end):
    body = program.threads[t]
    used = sorted({r for s in statements(body) for r in written_registers(s)} | set(program.results[t]) |
                  {s[1] for s in statements(body) if s[0] in ("if", "check")} | {s[2] for s in statements(body) if s[0] == "do"})
    lines = [f"static void *thread{t}{end}(void *arg)", "{"]
    lines += [f"    int {', '.join(f'r{r} = 0' for r in used)};"] if used else []
    lines += c_pointers(program, t, end) + ["    int failed = 0;"] + c_body(body, end, program.style, 1)
    lines += [f"    results{t}{end}[{i}] = r{r};" for i, r in enumerate(program.results[t])]
    return lines + [f"    results{t}{end}[{len(program.results[t])}] = failed;", "    return arg;", "}"]


def c_program(program, end=""):
    """What main calls: run<end>."""
    count, atomics = len(program.threads), program.atomics
    lines = [f"static atomic_int {', '.join(f'c{x}{end}' for x in range(atomics))};",
             f"static int {', '.join(f'c{atomics + p}{end}' for p in range(program.plain))};", f"int {', '.join(f'statistics{t}{end}' for t in range(3))};"]
    lines += [f"static pthread_mutex_t m{m}{end} = PTHREAD_MUTEX_INITIALIZER;" for m in range(program.mutexes)]
    lines += [f"static int results{t}{end}[{len(program.results[t]) + 1}];" for t in range(count)]
    for t in range(count):
        lines += c_thread(program, t, end)
    values = [f"results{t}{end}[{i}]" for t in range(count) for i in range(len(program.results[t]) + 1)]
    values += [f"c{x}{end}" for x in range(atomics + program.plain)]
    lines += [f"static void run{end}(void)", "{", f"    pthread_t t[{count}];"]
    lines += [f"    pthread_create(&t[{t}], NULL, thread{t}{end}, &c{atomics + min(t, program.plain - 1)}{end});" for t in range(count)]
    lines += [f"    pthread_join(t[{t}], NULL);" for t in range(count)]
    lines += [f"    int values[] = {{{', '.join(values)}}};", f"    finish(values, {len(values)});", "}"]
    return "\n".join(lines) + "\n"


def c_file(programs):
    """All of them; the environment's PICK says which one runs."""
    parts = [C_HEAD] + [c_program(p, f"_{i}") for i, p in enumerate(programs)]
    cases = "".join(f"    case {i}: run_{i}(); break;\n" for i in range(len(programs)))
    parts.append(f'int main(void)\n{{\n    const char *pick = getenv("PICK");\n    switch (pick ? atoi(pick) : 0) {{\n{cases}    }}\n    return 0;\n}}\n')
    return "\n".join(parts)
