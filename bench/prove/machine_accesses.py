#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: machine_accesses.py [--compilers CC,...] [--levels -O1,...] [--folder FOLDER] [ROOT]
Accesses of every type, size and way, compiled as `plumb prove` compiles, and run by valgrind, which tells every load and store of the machine. Each that is
of a variable of the program was announced by a hook right before it, its line is in the list of what is not (clang), or its function is of a class that the
verdict names (gcc). A function of each kind is a line.
Hooks tell what they announce by touching other memory, at the announced address and a distance. Exit code 1: an access is in none."""
import argparse
import os
import re
import subprocess
import sys
import tempfile

READS, WRITES, LOW = 0x200000000, 0x300000000, 1 << 28

SCALARS = ["char", "short", "int", "long", "float", "double", "long double", "_Bool", "pointer", "__int128", "_Complex float",
           "_Complex double", "_Complex long double"]
VECTORS = [(t, n) for t in ("char", "int", "double") for n in (2, 4, 8, 16, 32, 64) if n >= {"char": 2, "int": 8, "double": 16}[t]]

HEAD = """
typedef unsigned long size_t; typedef void *pointer; void *memcpy(void *, const void *, size_t), *memset(void *, int, size_t); char *strcpy(char *, const char *);
#define NEW __attribute__((noinline))
static volatile int zero;
"""


def scalar_ways(name, declare):
    """Functions of one type: the variable is v, others are w and a[4]; l is a local."""
    yield f"{name} f(void) {{ return v; }}"
    yield f"void f(void) {{ {declare('l')}; l = v; w = l; }}"
    yield f"void f(void) {{ v = w; }}"
    yield f"void f(void) {{ a[zero + 1] = a[zero + 2]; }}"
    yield f"NEW void take({name} x) {{ w = x; }} void f(void) {{ take(v); }}"
    yield f"NEW {name} give(void) {{ return w; }} void f(void) {{ v = give(); }}"
    yield f"void f(void) {{ for (int i = 0; i < 4; i++) a[i] = v; }}"
    yield f"void f(void) {{ for (int i = 0; i < 3; i++) a[i] = a[i + 1]; }}"
    yield f"NEW void set({name} *p, {name} *q) {{ {declare('l')}; l = *p; *p = *q; *q = l; }} void f(void) {{ set(&v, &w); }}"
    yield f"void f(void) {{ memcpy(&v, &w, sizeof v); memset(&w, zero, sizeof w); }}"
    yield f"{name} f(void) {{ return zero ? v : w; }}"
    yield f"NEW void lend({name} *p) {{ *p = v; }} {name} f(void) {{ {declare('l')}; lend(&l); return l; }}"


def arithmetic_ways(name):
    yield f"void f(void) {{ v += 1; }}"
    yield f"void f(void) {{ v = -v; w = v; }}"
    yield f"int f(void) {{ return v == w; }}"
    yield f"int f(void) {{ return !v || w; }}"


def whole_ways(name):
    yield f"{name} f(void) {{ return v++; }}"
    yield f"void f(void) {{ v |= w; v ^= 3; v <<= 1; }}"
    yield f"void f(void) {{ if (v > 3) w = 1; else w = v; }}"
    yield f"void f(void) {{ (void)__builtin_add_overflow(v, (({name})1), &w); }}"
    if name != "__int128":
        yield f"int f(void) {{ switch (v) {{ case 0: return 7; case 1: return (int)w; case 2: return 8; case 3: return 9; case 9: return 3; }} return 1; }}"
        for order in ("__ATOMIC_RELAXED", "__ATOMIC_SEQ_CST"):
            yield f"void f(void) {{ __atomic_store_n(&v, __atomic_load_n(&w, {order}), {order}); }}"
            yield f"int f(void) {{ return (int)(__atomic_fetch_add(&v, 1, {order}) + __atomic_exchange_n(&w, 1, {order}) + __atomic_or_fetch(&v, 1, {order})); }}"
            yield f"int f(void) {{ {name} l = 1; return __atomic_compare_exchange_n(&v, &l, 2, 0, {order}, {order}) + __atomic_compare_exchange_n(&v, &w, 2, 0, {order}, {order}); }}"
        yield f"int f(void) {{ return (int)(__sync_fetch_and_add(&v, 1) + __sync_val_compare_and_swap(&w, 0, 1) + __sync_lock_test_and_set(&v, 1)); }}"


def typed(name, more=(), before="", scalar=True):
    def declare(what):
        return f"{name} {what}"
    for qualifier in ("", "volatile ") if scalar else ("",):
        for way in list(scalar_ways(name, declare)) + list(more):
            if qualifier and ("memcpy" in way or "*p" in way or "_overflow" in way):
                continue
            yield f"{before} static {qualifier}{name} v, w, a[4]; {way}"
    for way in list(more):
        if "&" not in way.replace("&&", ""):
            yield f"{before} struct box {{ char c; {name} one, two; }} __attribute__((packed)); static struct box b; " + re.sub(r"\bw\b", "b.two", re.sub(r"\bv\b", "b.one", way))


def bit_fields():
    for base, limit in (("unsigned", 32), ("unsigned long", 64), ("int", 32)):
        for before in (0, 1, 5, 8):
            for width in (1, 3, 8, 12, 16, 17, 24, 31, 33, 40, 48, 56, 63):
                if width > limit:
                    continue
                head = f"struct s {{ {base} x : {before or 1}, one : {width}, two : 7; }}; static struct s s, t;"
                yield f"{head} int f(void) {{ return (int)s.one; }}"
                yield f"{head} void f(void) {{ s.one = zero; }}"
                if before in (1, 5):
                    yield f"{head} void f(void) {{ s.one++; t.two = s.two; }}"
                    yield f"{head} void f(void) {{ s = t; }}"
                    yield f"{head} int f(void) {{ return s.one == t.one && s.two == 3; }}"
                    yield f"{head} void f(void) {{ s = (struct s){{.one = 1, .two = 2}}; }}"
    yield "union u { struct { unsigned one : 3, two : 29; }; int whole; }; static union u u; void f(void) { u.two = 1; u.whole++; }"
    yield "struct s { struct { int c : 3; } in[4]; }; static struct s s; void f(void) { s.in[zero + 1].c = 2; }"


def structures():
    for size in list(range(1, 20)) + [24, 31, 32, 33, 40, 64, 100]:
        head = f"struct s {{ char c[{size}]; }}; static struct s v, w, a[4];"
        for way in scalar_ways("struct s", lambda what: f"struct s {what}"):
            yield f"{head} {way}"
        yield f"{head} void f(void) {{ v = (struct s){{{{1}}}}; w = (struct s){{0}}; }}"
    for members in ("long x, y;", "int x; char y;", "double x, y;", "long double x; char y;", "float x, y, z;", "void *x; short y;"):
        head = f"struct s {{ {members} }}; static struct s v, w, a[4];"
        for way in scalar_ways("struct s", lambda what: f"struct s {what}"):
            yield f"{head} {way}"
        yield f"{head} void f(void) {{ v.x = w.x; w.y = v.y; }}"
        yield f"{head} void f(void) {{ struct s *p = &a[zero + 1]; p->x = 0; p->y = 1; }}"
    for size in (1, 2, 3, 4, 6, 8, 12, 16, 24):
        yield f"struct s {{ char c[{size}]; }}; static struct s v, w; void f(void) {{ struct s l; __atomic_load(&v, &l, 5); __atomic_store(&w, &l, 5); }}"
        yield f"struct s {{ char c[{size}]; }}; static _Atomic struct s v; void f(void) {{ struct s l = v; v = l; }}"


def libraries():
    for size in (1, 2, 3, 5, 7, 8, 9, 12, 16, 17, 24, 32, 33, 48, 64, 100):
        yield f"static char v[128], w[128]; void f(void) {{ memcpy(v + zero, w, {size}); }}"
        yield f"static char v[128]; void f(void) {{ memset(v, 0, {size}); }}"
        yield f"static char v[128]; void f(void) {{ for (int i = 0; i < {size}; i++) v[i] = 0; }}"
        yield f"static char v[128], w[128]; int f(void) {{ return __builtin_memcmp(v, w, {size}) == 0; }}"
        yield f"static char v[128]; void f(void) {{ __builtin_strcpy(v, \"{'x' * (size - 1)}\"); }}"
        yield f"static int v[128], w[128]; int f(void) {{ int n = 0; for (int i = 0; i < {size}; i++) n += v[i] * w[i]; return n; }}"
        yield f"static long v[128], w[128]; void f(void) {{ for (int i = 0; i < {size}; i++) v[i] = w[i] > 3 ? w[i] : v[i]; }}"
        yield f"static char v[128]; static int w[128]; void f(void) {{ for (int i = 0; i < {size}; i++) w[i] = v[2 * i % 128]; }}"
    yield "static int v; double f(void) { return __builtin_frexp(3.5, &v); }"
    yield "static double v; double f(void) { return __builtin_modf(1.5, &v); }"
    yield "static _Thread_local int t; static int v; int f(void) { t++; return v + t; }"
    yield "static int v[4]; void f(void) { int (*p)[4] = &v; (*p)[zero] = 1; __builtin_prefetch(v); }"
    yield "static int v; void f(void) { int *p = zero ? 0 : &v; *p = 1; *p += 1; }"
    yield "static char v[8]; int f(void) { return (int)__builtin_strlen(v); }"
    yield "static const int table[8] = {1, 2}; static int v; int f(void) { return table[v & 7]; }"
    yield "struct n { struct n *next; int k; }; static struct n v = {&v, 1}; int f(void) { int s = 0; struct n *p = &v; for (int i = 0; i < 3; i++, p = p->next) s += p->k; return s; }"
    yield "static int (*volatile v)(void); int f(void) { return v ? v() : 0; }"
    yield "#if defined __x86_64__\n"
    for call in ("_mm_stream_si32(&v, 1)", "_mm_storeu_si128((__m128i *)a, _mm_loadu_si128((__m128i *)b))", "_mm_maskmoveu_si128(_mm_set1_epi8(-1), _mm_set1_epi8(-1), (char *)a)",
                 "_mm_storel_epi64((__m128i *)a, _mm_loadl_epi64((__m128i *)b))", "_mm_stream_si128((__m128i *)a, _mm_load_si128((__m128i *)b))", "_mm_setcsr((unsigned)v | 0x1f80)",
                 "_mm_storeh_pd((double *)a, _mm_loadh_pd(_mm_setzero_pd(), (double *)b))", "_mm_clflush(&v)"):
        yield f"static int v; static int a[8] __attribute__((aligned(16))), b[8] __attribute__((aligned(16))); void f(void) {{ {call}; }}"


def generate():
    for name in SCALARS:
        whole = name in ("char", "short", "int", "long", "__int128")
        more = list(arithmetic_ways(name)) if name != "pointer" else []
        yield from typed(name, more + (list(whole_ways(name)) if whole else []))
    for element, size in VECTORS:
        yield from typed("vec", list(arithmetic_ways("vec"))[:2], f"typedef {element} vec __attribute__((vector_size({size})));", False)
    yield from bit_fields()
    yield from structures()
    yield from libraries()


def write_program(path):
    """Each on its line, with names of its own."""
    lines, functions = (HEAD + "#include <emmintrin.h>").strip().split("\n"), {}
    for text in generate():
        if text.startswith("#"):
            continue
        number = len(lines) + 1
        for word in ("f", "take", "give", "set", "lend", "v", "w", "a", "b", "s", "t", "u", "n", "box", "vec", "table"):
            text = re.sub(rf"(?<![.>\w]){word}\b", f"{word}{number}", text)
        lines.append(text)
        functions[number] = text
    lines += [f"__attribute__((no_sanitize(\"thread\"))) void call{n}(void) {{ (void)f{n}(); }}" for n in functions]
    lines.append("void (*const all[])(void) = {" + ", ".join(f"call{n}" for n in functions) + ", 0};")
    with open(path, "w") as out:
        out.write("\n".join(lines) + "\n")
    return functions


RUNTIME = """
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
extern void (*const all[])(void);
static void touch(uint64_t base, uint64_t at, uint64_t size)
{
    for (uint64_t k = 0; at < 0x10000000 && k < size; k++) (void)*(volatile char *)(base + at + k);
}
#define R(p, n) touch(0x200000000, (uint64_t)(p), n)
#define W(p, n) touch(0x300000000, (uint64_t)(p), n)
#define PLAIN(n) void __tsan_read##n(void *p) { R(p, n); } void __tsan_write##n(void *p) { W(p, n); } \\
    void __tsan_unaligned_read##n(void *p) { R(p, n); } void __tsan_unaligned_write##n(void *p) { W(p, n); } \\
    void __tsan_volatile_read##n(void *p) { R(p, n); } void __tsan_volatile_write##n(void *p) { W(p, n); } \\
    void __tsan_unaligned_volatile_read##n(void *p) { R(p, n); } void __tsan_unaligned_volatile_write##n(void *p) { W(p, n); }
PLAIN(1) PLAIN(2) PLAIN(4) PLAIN(8) PLAIN(16)
void __tsan_read_range(void *p, unsigned long n) { R(p, n); }
void __tsan_write_range(void *p, unsigned long n) { W(p, n); }
void __tsan_vptr_read(void *p) { R(p, 8); }
void __tsan_vptr_update(void *p, void *q) { W(p, 8); }
void __tsan_func_entry(void *p) {} void __tsan_func_exit(void) {} void __tsan_init(void) {}
void __tsan_atomic_thread_fence(int o) {} void __tsan_atomic_signal_fence(int o) {}
#define ATOMIC(bits, T) \\
    T __tsan_atomic##bits##_load(const T *p, int o) { R(p, sizeof *p); return *p; } \\
    void __tsan_atomic##bits##_store(T *p, T v, int o) { W(p, sizeof *p); *p = v; } \\
    T __tsan_atomic##bits##_exchange(T *p, T v, int o) { T old = *p; *p = v; return old; } \\
    T __tsan_atomic##bits##_fetch_add(T *p, T v, int o) { T old = *p; *p += v; return old; } \\
    T __tsan_atomic##bits##_fetch_sub(T *p, T v, int o) { T old = *p; *p -= v; return old; } \\
    T __tsan_atomic##bits##_fetch_or(T *p, T v, int o) { T old = *p; *p |= v; return old; } \\
    T __tsan_atomic##bits##_fetch_and(T *p, T v, int o) { T old = *p; *p &= v; return old; } \\
    T __tsan_atomic##bits##_fetch_xor(T *p, T v, int o) { T old = *p; *p ^= v; return old; } \\
    int __tsan_atomic##bits##_compare_exchange_strong(T *p, T *e, T v, int o, int f) { T old = *p; if (old == *e) { *p = v; return 1; } *e = old; return 0; } \\
    int __tsan_atomic##bits##_compare_exchange_weak(T *p, T *e, T v, int o, int f) { return __tsan_atomic##bits##_compare_exchange_strong(p, e, v, o, f); } \\
    T __tsan_atomic##bits##_compare_exchange_val(T *p, T e, T v, int o, int f) { T old = *p; if (old == e) *p = v; return old; }
ATOMIC(8, uint8_t) ATOMIC(16, uint16_t) ATOMIC(32, uint32_t) ATOMIC(64, uint64_t) ATOMIC(128, unsigned __int128)
void *__tsan_memcpy(void *p, const void *q, size_t n) { R(q, n); W(p, n); return memcpy(p, q, n); }
void *__tsan_memmove(void *p, const void *q, size_t n) { R(q, n); W(p, n); return memmove(p, q, n); }
void *__tsan_memset(void *p, int c, size_t n) { W(p, n); return memset(p, c, n); }
void __atomic_load(size_t n, void *p, void *to, int o) { memcpy(to, p, n); }
void __atomic_store(size_t n, void *p, void *from, int o) { memcpy(p, from, n); }
int main(void)
{
    for (uint64_t k = 2; k < 4; k++)
        mmap((void *)(k * 0x100000000), 1ul << 28, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    for (int k = 0; all[k]; k++)
        all[k]();
    return 0;
}
"""

PROVING = ["-g", "-w", "-Wno-psabi", "-fsanitize=thread", "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls", "-fno-stack-protector", "-fcf-protection=none", "-gdwarf-4",
           "-frecord-gcc-switches", "-fno-lto"]
GCC = ["-mstringop-strategy=libcall", "-fno-tree-loop-distribute-patterns"] + [f"-fno-builtin-{name}" for name in (
    "memcpy memset memmove mempcpy memcmp memchr bzero bcmp bcopy strcpy stpcpy strncpy stpncpy strcat strncat strcmp strncmp strlen strchr strrchr strstr".split())]
CLANG = ["-mllvm", "-rotation-max-header-size=0"]


# What `plumb prove` names of all that gcc compiles (compiled_unshown), by how these functions look.
CLASSES = {
    "structures by value": r"\b(take|give)\d+\(.*\bstruct|struct s\d+ f\d+\(|struct.*\b(take|give)\d+\(|\bvec\d+ f\d+\(|vector_size.*\b(take|give)\d+\(",
    "bit-fields": r"struct \w* ?{[^}]*:\s*\d+",
    "built-in functions": r"__builtin_(mem|str)|\bmem(cpy|set)\b",
    "intrinsics": r"\b_mm_",
}


def run(words, **more):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def compile_program(root, compiler, level, folder):
    """As src/target/native_build.c does."""
    flags = ["-O1", level, "-fno-pie"] + PROVING
    source, built = f"{folder}/program.c", f"{folder}/program.o"
    if "clang" in compiler:
        flags.remove("-fsanitize=thread")
        run([compiler, *flags, "-Xclang", "-disable-llvm-passes", "-c", "-emit-llvm", source, "-o", f"{folder}/p.bc"])
        run([f"{root}/build/bin/plumb-instrument", "--accesses", "--bitcode", level, *CLANG, f"{folder}/p.bc", "-o", f"{folder}/q.bc"])
        run([compiler, "-O1", level, "-fno-pie", "-w", "-fno-omit-frame-pointer", "-g", "-gdwarf-4", "-Xclang", "-disable-llvm-passes", "-c", "-x", "ir", f"{folder}/q.bc", "-o", built])
    else:
        run([compiler, *flags, *GCC, "-c", source, "-o", built])
    run(["gcc", "-O1", "-w", "-fno-pie", "-fno-tree-loop-distribute-patterns", "-c", f"{folder}/runtime.c", "-o", f"{folder}/runtime.o"])
    run(["gcc", "-no-pie", built, f"{folder}/runtime.o", "-lm", "-o", f"{folder}/program"])
    strings = run(["readelf", "-p", ".GCC.command.line", built])
    return {int(n) for n in re.findall(r"plumb-unannounced \S+ \S*program\.c:(\d+)", strings)}


def symbols(folder):
    """Address, end and name of the functions and the variables of the program."""
    local = set(re.findall(r"(?m)^\S* *\S+ \S (\S+)$", run(["nm", f"{folder}/program.o"])))
    found = re.findall(r"(?m)^(\w+) (\w+) (\S) (\S+)$", run(["nm", "-S", f"{folder}/program"]))
    every = [(int(a, 16), int(a, 16) + int(n, 16), kind, name) for a, n, kind, name in found if name in local]
    return ([s for s in every if s[2] in "tT"], [s for s in every if s[2] in "bBdDsS" and not s[3].startswith("zero")])


def table(ranges):
    return {at: name for begin, end, _, name in ranges for at in range(begin, end)}


def find_unannounced(folder):
    """Pcs of accesses that no hook announced right before, by kind."""
    code, data = symbols(folder)
    functions, variables = table(code), table(data)
    found, announced, has_accessed, pc, here, count = {}, set(), False, 0, False, 0
    trace = subprocess.Popen(["valgrind", "--tool=lackey", "--trace-mem=yes", "--basic-counts=no", "--log-fd=1", f"{folder}/program"], stdout=subprocess.PIPE, text=True)
    for line in trace.stdout:
        if line[:3] == "I  ":
            pc = int(line[3:].split(",")[0], 16)
            here = pc in functions
            continue
        if line[:1] != " ":
            continue
        address, size = line[3:].split(",")
        address, size = int(address, 16), int(size)
        if address >= READS and address < WRITES + LOW:
            if has_accessed:
                announced, has_accessed = set(), False
            announced.add(("r" if address < WRITES else "w", address & LOW - 1))
        elif here and address in variables:
            has_accessed = True
            count += 1
            touched = range(address, address + size)
            if line[1] in "LM" and not any(("r", at) in announced for at in touched):
                found.setdefault(pc, "read")
            if line[1] in "SM" and not all(("w", at) in announced for at in touched):
                found.setdefault(pc, "write")
    if trace.wait() != 0:
        sys.exit("the program does not run")
    return found, count


def places(folder, pcs):
    """The lines of an instruction, also those that it was inlined to."""
    result = {}
    for pc in pcs:
        said = run(["addr2line", "-i", "-e", f"{folder}/program", hex(pc)])
        result[pc] = [int(n) for n in re.findall(r"program\.c:(\d+)", said)]
    return result


def try_one(root, compiler, level, folder, functions):
    listed = compile_program(root, compiler, level, folder)
    found, count = find_unannounced(folder)
    at = places(folder, found)
    missed = sorted({(at[pc][-1] if at[pc] else 0, kind) for pc, kind in found.items() if not listed & set(at[pc])})
    classes = {} if "clang" in compiler else CLASSES
    named = {number: [c for c, shape in classes.items() if re.search(shape, functions.get(number, ""))] for number, _ in missed}
    missed = [(number, kind) for number, kind in missed if not named[number]]
    needed = {n for lines in at.values() for n in lines}
    print(f"{compiler} {level}: {len(functions)} functions, {count} accesses, {len(found)} places without hook, {len(listed)} lines listed "
          f"({len(listed - needed)} of them for nothing that ran), {len(missed)} missed"
          + "".join(f", {sum(c in names for names in named.values())} {c}" for c in classes))
    for number, kind in missed[:8]:
        print(f"    {kind} missed: {functions.get(number, number)}")
    return not missed


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--compilers", default="gcc,clang")
    parser.add_argument("--levels", default="-O0,-O1,-O2,-O3")
    parser.add_argument("--folder")
    parser.add_argument("root", nargs="?", default=".")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or temporary
        functions = write_program(f"{folder}/program.c")
        with open(f"{folder}/runtime.c", "w") as out:
            out.write(RUNTIME)
        fine = [try_one(os.path.abspath(options.root), c, level, folder, functions) for c in options.compilers.split(",") for level in options.levels.split(",")]
    sys.exit(not all(fine))


main()
