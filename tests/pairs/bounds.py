# SPDX-License-Identifier: Apache-2.0
"""Accesses that leave their object. A is an array of three T."""
from pairs import Group

FILL = "for (int k = 0; k < 3; k++) A[k] = (T)(k + 1);"
# Where the array is: declarations outside of main, in main, T, and how it is called.
PLACES = {
    "stack": ("", "T a[3]; " + FILL, "int", "a"),
    "neighbours": ("", "T before[3] = {7, 7, 7}, a[3], after[3] = {8, 8, 8}; " + FILL + " KEEP((long)before + (long)after);", "long", "a"),
    "vla": ("", "T a[n]; " + FILL, "int", "a"),
    "alloca": ("", "T *a = (T *)__builtin_alloca(sizeof(T) * n); " + FILL, "int", "a"),
    "global": ("T before[3], a[3] = {1, 2, 3}, after[3];", "", "int", "a"),
    "static-local": ("", "static T a[3] = {1, 2, 3}, b[3]; KEEP((long)b);", "long", "a"),
    "thread-local": ("static __thread T before[3], a[3], after[3];", FILL + " KEEP((long)before + (long)after);", "int", "a"),
    "member": ("", "struct { T x, a[3], y[3]; } s = {0, {1, 2, 3}, {4}};", "int", "s.a"),
    "global-member": ("struct { T x, a[3], y[3]; } s = {0, {1, 2, 3}, {4}};", "", "int", "s.a"),
    "parameter": ("struct v { T a[3]; };", "", "int", "s.a"),
    "heap": ("", "T *a = (T *)malloc(3 * sizeof(T)); " + FILL, "int", "a"),
    "literal": ("", "static const char unused[] = \"xyz\"; KEEP(unused[0]); const T *a = \"ab\";", "char", "a"),
    "const-global": ("static const T a[3] = {1, 2, 3}, after[3] = {4, 5, 6};", "KEEP((long)after);", "int", "a"),
}
READS = {
    "index": "KEEP(A[$n$n - 1$]);",
    "before": "KEEP(A[n - $4$3$]);",
    "constant": "{ T *volatile p = (T *)A; KEEP(p[$3$2$]); }",
    "loop": "{ long sum = 0; for (const T *p = A, *end = p + 3$ + 1$$; p != end; p++) sum += *p; KEEP(sum); }",
    "count": "{ long sum = 0; for (int k = 0; k $<=$<$ n; k++) sum += A[k]; KEEP(sum); }",
    "callee": "KEEP(add((const T *)A, $n + 1$n$));",
    "thread": "{ pthread_t t; pthread_create(&t, 0, last, (void *)(A + $n$n - 1$)); pthread_join(t, 0); }",
    "memcpy": "{ T out[4]; memcpy(out, A, (n$ + 1$$) * sizeof(T)); KEEP(out[0]); }",
    "structure": "{ struct { T v[$4$3$]; } w; __builtin_memcpy(&w, A, sizeof w); KEEP(w.v[0]); }",
    "straddling": "{ struct __attribute__((packed)) { T v; char c; } w; memcpy(&w, A + 2, sizeof w$$ - 1$); KEEP(w.v); }",
    "atomic": "KEEP(__atomic_load_n((T *)&A[$n$n - 1$], __ATOMIC_RELAXED));",
    "far": "KEEP(A[$n + 2$2$]);",
}
WRITES = {
    "index-write": "A[$n$n - 1$] = 7;",
    "before-write": "A[n - $4$3$] = 7;",
    "increment": "A[$n$n - 1$]++;",
    "callee-write": "fill((T *)A, n$ + 1$$);",
    "memcpy-write": "{ T in[4] = {1, 2, 3, 4}; memcpy(A, in, (n$ + 1$$) * sizeof(T)); }",
    "memset": "memset(A, 1, (n$ + 1$$) * sizeof(T));",
    "snprintf": "snprintf((char *)A, 64, \"%*d\", (int)(3 * sizeof(T))$$ - 1$, 1);",
    "atomic-write": "__atomic_store_n(&A[$n$n - 1$], 4, __ATOMIC_RELEASE);",
    "exchange": "KEEP(__atomic_fetch_add(&A[$n$n - 1$], 4, __ATOMIC_ACQ_REL));",
}
HELPERS = """
NOINLINE static long add(const T *p, int count) { long sum = 0; for (int k = 0; k < count; k++) sum += p[k]; return sum; }
NOINLINE static void fill(T *p, int count) { for (int k = 0; k < count; k++) p[k] = 1; }
static void *last(void *p) { KEEP(*(const T *)p); return 0; }
"""
PROGRAM = """DECLARED
int main(void) { KEEP((long)add); KEEP((long)fill); KEEP((long)last); INSIDE USE return 0; }
"""
BY_VALUE = """DECLARED
NOINLINE static void use(struct v s) { USE KEEP(s.a[1]); }
int main(void) { KEEP((long)add); KEEP((long)fill); KEEP((long)last); struct v s = {{1, 2, 3}}; use(s); return 0; }
"""
# One pair each of these is enough; of the others every way.
FEW = {"heap": ("index", "loop", "memcpy-write"), "parameter": ("index", "loop", "index-write"), "const-global": ("index", "before", "loop"),
       "global-member": ("index", "index-write", "far"), "static-local": ("index", "before", "loop", "index-write", "memset"),
       "vla": ("index", "before", "loop", "callee", "thread", "index-write", "memset"),
       "alloca": ("index", "before", "callee", "memcpy", "index-write", "callee-write"),
       "thread-local": ("index", "before", "callee", "thread", "index-write", "memset"),
       "neighbours": ("index", "before", "loop", "far", "index-write", "memcpy-write", "callee"),
       "member": ("index", "before", "count", "index-write", "increment", "far")}

bounds = {}
for place, (declared, inside, element, name) in PLACES.items():
    group = bounds.setdefault(place, Group("bounds-" + place))
    for way, use in {**READS, **({} if place in ("literal", "const-global") else WRITES)}.items():
        if way not in FEW.get(place, (way,)):
            continue
        text = BY_VALUE if place == "parameter" else PROGRAM
        # The helpers need T, and what is declared needs nothing of them.
        text = "#define T " + element + "\n#define A " + name + "\n" + HELPERS + text
        for word, value in (("DECLARED", declared), ("INSIDE", inside), ("USE", use)):
            text = text.replace(word, value)
        group.add(way, text)

more = Group("bounds-more")
more.add("strlen", 'int main(void) { char a[3] = $"abc"$"ab"$; KEEP(strlen(a)); return 0; }')
more.add("strcpy", 'int main(void) { char a[$3$4$], b[8] = "zzz"; strcpy(a, n ? "abc" : "a"); KEEP(a[0] + b[0]); return 0; }')
more.add("strcat-global", 'char a[$5$6$] = "abc", b[8]; int main(void) { strcat(a, "de"); return 0; }')
more.add("gets-line", """
int main(void) { char a[4]; FILE *f = fmemopen("abcdef", 6, "r"); if (!f) return 0; KEEP((long)fgets(a, $5$4$, f)); fclose(f); return 0; }""")
more.add("rows", "int main(void) { int a[2][3] = {{1, 2, 3}, {4, 5, 6}}; KEEP(a[0][$n$n - 1$]); return 0; }")
more.add("rows-global", "int a[2][3]; int main(void) { a[0][$n$n - 1$] = 1; return 0; }")
more.add("flexible", """
struct s { int count; int a[]; };
int main(void) { struct s *p = malloc(sizeof *p + 3 * sizeof(int)); p->a[$n$n - 1$] = 1; KEEP(p->a[1] = 2); free(p); return 0; }""")
more.add("cast", "int main(void) { int x = 1; KEEP(*($long$int$ *)&x); return 0; }", flags=["-fno-strict-aliasing"])
more.add("structure-prefix", """
struct small { int a; }; struct large { int a, b; };
NOINLINE static int get(struct small *p) { return ((struct large *)p)->$b$a$; }
int main(void) { struct small s = {1}; KEEP(get(&s)); return 0; }""", flags=["-fno-strict-aliasing"])
more.add("downcast", """
struct base { int a = 1; }; struct derived : base { int b[4] = {}; };
NOINLINE static int get(base *p) { return static_cast<derived *>(p)->b[3]; }
int main() { $base$derived$ x; KEEP(get(&x)); return 0; }""", cpp=True)
more.add("std-array", """
#include <array>
int main() { std::array<int, 3> a{1, 2, 3}; KEEP(a.begin()[$n$n - 1$]); return 0; }""", cpp=True)
more.add("std-vector", """
#include <vector>
int main() { std::vector<int> a{1, 2, 3}; a.reserve(8); KEEP(a.begin()[$n$n - 1$]); return 0; }""", cpp=True)
more.add("span", """
#include <span>
int main() { int a[3] = {1, 2, 3}; std::span<int> s(a, $n + 1$n$); long sum = 0; for (int v : s) sum += v; KEEP(sum); return 0; }""", cpp=True)
more.add("new-array", "int main() { int *a = new int[3](); KEEP(a[$n$n - 1$]); delete[] a; return 0; }", cpp=True)
more.add("thread-stack", """
static void *writer(void *p) { *(int *)p = 7; return 0; }
static void *body(void *unused) {
    int a[3] = {1, 2, 3}, b[3] = {4, 5, 6}; pthread_t t; (void)unused; KEEP((long)b);
    pthread_create(&t, 0, writer, a + $n$n - 1$); pthread_join(t, 0); KEEP(a[0]); return 0;
}
int main(void) { pthread_t t; pthread_create(&t, 0, body, 0); pthread_join(t, 0); return 0; }""")
more.add("ring", """
static int ring[4], tail; int guard;
NOINLINE static void push(int v) { ring[tail$$ % 4$] = v; tail++; }
int main(void) { for (int k = 0; k < n + 2; k++) push(k); KEEP(guard); return 0; }""")
more.add("two-threads-slot", """
static long slots[2]; long next_to_it[2]; static _Atomic int ticket;
static void *put(void *v) { slots[ticket++$$ % 2$] = (long)v; return 0; }
int main(void) {
    pthread_t t[3];
    for (int k = 0; k < $3$2$; k++) pthread_create(&t[k], 0, put, 0);
    for (int k = 0; k < $3$2$; k++) pthread_join(t[k], 0);
    KEEP(next_to_it[0]); return 0;
}""")
more.add("vector-load", """
#include <emmintrin.h>
int main(void) { int a[6] = {1, 2, 3, 4, 5, 6}; __m128i v = _mm_loadu_si128((const __m128i *)(a + $n$2$)); KEEP(_mm_cvtsi128_si32(v)); return 0; }""")
more.add("end-of-block-scope", "int main(void) { { int a[2] = {1, 2}, b[2] = {3, 4}; int *p = a; KEEP(p[n - $1$2$] + b[0]); } return 0; }")

groups = list(bounds.values()) + [more]
