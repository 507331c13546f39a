# SPDX-License-Identifier: Apache-2.0
"""What was never given a value and decides something."""
from pairs import Group

local, heap, member = Group("undefined-local"), Group("undefined-heap"), Group("undefined-member")
shared, calls, copies = Group("undefined-shared"), Group("undefined-calls"), Group("undefined-copies")

local.add("branch", "int main(void) { TYPE x$$ = (TYPE)1$; if (x) KEEP(1); return 0; }", TYPE=["char", "int", "long", "_Bool", "double"])
local.add("pointer", "int main(void) { int *p$$ = 0$; if (p) KEEP(1); return 0; }")
local.add("sometimes", "int main(void) { int x; if (n == $4$3$) x = 1; if (x) KEEP(1); return 0; }")
local.add("switch", "int main(void) { int x; switch (n) { case 1: x = 1; break; case $2$3$: x = 4; break; } if (x > 2) KEEP(1); return 0; }")
local.add("switch-on", "int main(void) { int x$$ = 2$; switch (x) { case 1: KEEP(1); break; case 2: KEEP(2); break; } return 0; }")
local.add("callee-fills", """
NOINLINE static void fill(int *p, int k) { if (k == 3) *p = 1; }
int main(void) { int x; fill(&x, n$ + 1$$); if (x) KEEP(1); return 0; }""")
local.add("argument", """
NOINLINE static void use(int x) { if (x) KEEP(1); }
int main(void) { int x$$ = 1$; use(x); return 0; }""")
local.add("returned", """
NOINLINE static int get(int k) { int x; if (k == 3) x = 1; return x; }
int main(void) { if (get(n$ + 1$$)) KEEP(1); return 0; }""")
local.add("copied", "int main(void) { int x$$ = 1$, y; y = x; int z = y; if (z == 1) KEEP(1); return 0; }")
local.add("computed", "int main(void) { unsigned x$$ = 1$; unsigned y = (x << 3 ^ 5u) + 1; if (y & 8) KEEP(1); return 0; }")
local.add("masked", "int main(void) { unsigned x; if (one) x = 0; unsigned char c[2]; c[0] = 1; x = c[0] | c[1] << 8; if (x & $0x100$0xff$) KEEP(1); return 0; }")
local.add("loop", "int main(void) { int x$$ = 0$; while (x < n) x = n; return 0; }")
local.add("ternary", "int main(void) { int x$$ = 0$; KEEP(x ? n : zero); return 0; }")
local.add("condition", "int main(void) { int x, y = 0; if (n == $4$3$) x = 1; if (y == 0 && x == 1) KEEP(1); return 0; }")
local.add("index", "int a[256]; int main(void) { unsigned char x$$ = 1$; KEEP(a[x]); return 0; }")
local.add("element", "int main(void) { int a[4]; for (int k = 0; k < $n$4$; k++) a[k] = k; if (a[3]) KEEP(1); return 0; }")
local.add("vla", "int main(void) { int a[n]; for (int k = $1$0$; k < n; k++) a[k] = k; if (a[0]) KEEP(1); return 0; }")
local.add("alloca", "int main(void) { int *a = __builtin_alloca(8); a[0] = 1; if (a[$1$0$]) KEEP(1); return 0; }")
local.add("strlen", "int main(void) { char a[4]; a[0] = 'a'; $$a[1] = 0;$ a[3] = 0; KEEP(strlen(a)); return 0; }")
local.add("memcmp", "int main(void) { char a[4], b[4] = {0}; memset(a, 0, n$$ + 1$); if (memcmp(a, b, 4)) KEEP(1); return 0; }")
local.add("printed", 'int main(void) { char out[32]; int x$$ = 1$; snprintf(out, sizeof out, "%d", x); KEEP(out[0]); return 0; }')
local.add("memcpy", "int main(void) { int x$$ = 1$, y; memcpy(&y, &x, sizeof y); if (y) KEEP(1); return 0; }")
local.add("atomic", "int main(void) { _Atomic int x; $$atomic_init(&x, 1);$ if (x) KEEP(1); return 0; }".replace("int main", "#include <stdatomic.h>\nint main"))
local.add("cas-expected", """
#include <stdatomic.h>
int main(void) { static _Atomic int x = 5; int e$$ = 5$; if (atomic_compare_exchange_strong(&x, &e, 6)) KEEP(1); return 0; }""")
local.add("thread", """
static void *use(void *p) { if (*(int *)p) KEEP(1); return 0; }
int main(void) { pthread_t t; int x$$ = 1$; pthread_create(&t, 0, use, &x); pthread_join(t, 0); return 0; }""")
local.add("written", "int main(void) { int p[2]; char c$$ = 1$; if (pipe(p)) return 0; KEEP(write(p[1], &c, 1)); close(p[0]); close(p[1]); return 0; }")
local.add("short-read", """
int main(void) { int p[2]; char b[4]; if (pipe(p)) return 0; KEEP(write(p[1], "ab", 2)); KEEP(read(p[0], b, 4)); if (b[$2$1$] == 'x') KEEP(1); close(p[0]); close(p[1]); return 0; }""")
local.add("exit-status", "int main(void) { int x$$ = 0$; return x; }")
local.add("previous-frame", """
NOINLINE static void before(void) { volatile int a[4] = {0, 0, 0, 0}; KEEP(a[1]); }
NOINLINE static void after(void) { volatile int a[4]; a[0] = 1; if (a[$1$0$]) KEEP(1); }
int main(void) { before(); after(); return 0; }""")
local.add("reference", """
NOINLINE static void use(const int &x) { if (x > 1) KEEP(1); }
int main() { int x$$ = 2$; use(x); return 0; }""", cpp=True)
local.add("lambda", "int main() { int x$$ = 2$; auto f = [&] { if (x > 1) KEEP(1); }; f(); return 0; }", cpp=True)
local.add("enum", "enum e { A, B, C }; int main(void) { enum e x; if (n == $2$3$) x = B; switch (x) { case A: KEEP(1); break; case B: KEEP(2); break; default: KEEP(3); } return 0; }")

for index, item in enumerate(("int b", "unsigned b : 3", "char b", "double b", "void *b", "short b")):
    member.add("field-" + "int bit-field char double pointer short".split()[index],
               "struct s { int a; %s; }; int main(void) { struct s x; x.a = 1; $$x.b = 0;$ if (x.b) KEEP(1); return 0; }" % item)
member.add("bit-fields", "struct s { unsigned a : 3, b : 5, c : 12; }; int main(void) { struct s x; x.a = 1; if (x.$b$a$) KEEP(1); return 0; }")
member.add("bit-fields-of-three", "struct s { unsigned a : 3, b : 5, c : 12; }; int main(void) { struct s x; x.a = 1; x.c = 1; if (x.$b$c$ == 1) KEEP(1); return 0; }")
member.add("by-value", """
struct s { int a, b; };
NOINLINE static void use(struct s x) { if (x.$b$a$) KEEP(1); }
int main(void) { struct s x; x.a = 1; use(x); return 0; }""")
member.add("returned", """
struct s { int a, b; long c[3]; };
NOINLINE static struct s make(void) { struct s x; x.a = 1; x.c[0] = 2; return x; }
int main(void) { struct s x = make(); if (x.$b$a$) KEEP(1); return 0; }""")
member.add("assigned", "struct s { int a, b; }; int main(void) { struct s x, y; x.a = 1; y = x; if (y.$b$a$) KEEP(1); return 0; }")
member.add("union", "union u { char c; int i; }; int main(void) { union u x; x.c = 0; if (x.$i$c$) KEEP(1); return 0; }")
member.add("padding", "struct s { char c; int i; }; int main(void) { struct s x, y = {1, 2}; x.c = 1; x.i = 2; if ($memcmp(&x, &y, sizeof x)$x.c != y.c || x.i != y.i$) KEEP(1); return 0; }")
member.add("constructor", """
struct s { int a, b; s() : a(1)$$, b(2)$ {} };
int main() { s x; if (x.b) KEEP(1); return 0; }""", cpp=True)
member.add("thread", """
struct s { int go, value; };
static void *use(void *p) { struct s *x = p; if (x->go && x->value) KEEP(1); return 0; }
int main(void) { pthread_t t; struct s x; x.go = 1; $$x.value = 1;$ pthread_create(&t, 0, use, &x); pthread_join(t, 0); return 0; }""")
member.add("array", "struct s { int count; int a[4]; }; int main(void) { struct s x; x.count = 3; for (int k = 0; k < x.count; k++) x.a[k] = k; if (x.a[$3$2$]) KEEP(1); return 0; }")

MAKE = {"malloc": "malloc(8)", "aligned": "aligned_alloc(8, 8)", "reallocated": "realloc(0, 8)"}
heap.add("branch", "int main(void) { int *p = MAKE; $$p[1] = 0;$ p[0] = 1; if (p[1]) KEEP(1); free(p); return 0; }", MAKE=MAKE)
heap.add("tail", "int main(void) { int *p = calloc(1, 4); p = realloc(p, 8); if (p[$1$0$]) KEEP(1); free(p); return 0; }")
heap.add("tail-large", "int main(void) { char *p = malloc(100); memset(p, 1, 100); p = realloc(p, 300); if (p[$100$99$]) KEEP(1); free(p); return 0; }")
heap.add("reused", "int main(void) { int *p = calloc(1, 8); free(p); p = $malloc(8)$calloc(1, 8)$; if (p[1]) KEEP(1); free(p); return 0; }")
heap.add("node", """
struct node { struct node *next; int v; };
int main(void) { struct node *a = malloc(sizeof *a); a->v = 1; $$a->next = 0;$ for (struct node *k = a; k; k = 0) { KEEP(k->v); if (k->next) break; } free(a); return 0; }""")
heap.add("threads", """
struct node { int ready, v; } *_Atomic shared;
static void *use(void *unused) { struct node *h = shared; (void)unused; if (h && h->v) KEEP(1); return 0; }
int main(void) { pthread_t t; struct node *a = malloc(sizeof *a); a->ready = 1; $$a->v = 1;$ pthread_create(&t, 0, use, 0); shared = a; pthread_join(t, 0); free(a); return 0; }""")
heap.add("copied", "int main(void) { char *p = malloc(8), q[8]; p[0] = 1; memcpy(q, p, 8); if (q[$7$0$]) KEEP(1); free(p); return 0; }")
heap.add("strcmp", 'int main(void) { char *p = malloc(4); p[0] = \'a\'; $$p[1] = 0;$ p[3] = 0; if (strcmp(p, "ab") == 0) KEEP(1); free(p); return 0; }')
heap.add("new", "int main() { int *p = new int$$()$; if (*p) KEEP(1); delete p; return 0; }", cpp=True)
heap.add("new-array", "int main() { int *p = new int[4]$$()$; if (p[2]) KEEP(1); delete[] p; return 0; }", cpp=True)
heap.add("new-object", "struct s { int a, b; s() : a(1) {} }; int main() { s *p = new s; if (p->$b$a$) KEEP(1); delete p; return 0; }", cpp=True)
heap.add("make-unique", """
#include <memory>
int main() { auto p = std::$make_unique_for_overwrite$make_unique$<int>(); if (*p) KEEP(1); return 0; }""", cpp=True)

# Variables whose address other functions know.
FILL = """
NOINLINE static int fill(TYPE *p, int k) { if (k == 3) { *p = (TYPE)1; return 1; } return 0; }
"""
shared.add("sometimes", FILL + "int main(void) { TYPE x; fill(&x, n$ + 1$$); if (x) KEEP(1); return 0; }", TYPE=["char", "short", "int", "long", "_Bool", "double", "float"])
shared.add("status-ignored", FILL + "int main(void) { TYPE x; $fill(&x, n + 1); if (x)$if (fill(&x, n + 1) && x)$ KEEP(1); return 0; }", TYPE=["int", "long"])
shared.add("loop-again", FILL + "int main(void) { for (int k = 2; k < 5; k++) { TYPE x; $fill(&x, k + n);$fill(&x, 3);$ if (x) KEEP(1); } return 0; }", TYPE=["int"])
shared.add("array", """
NOINLINE static void fill(int *p, int k) { for (int i = 0; i < k; i++) p[i] = i; }
int main(void) { int a[4]; fill(a, $n$4$); if (a[3]) KEEP(1); return 0; }""")
shared.add("large", """
NOINLINE static void fill(char *p, long k) { for (long i = 0; i < k; i += 1000) p[i] = 1; }
int main(void) { char a[70000]; fill(a, 70000); if (a[$1$1000$]) KEEP(1); return 0; }""")
shared.add("large-own", "int main(void) { char a[70000]; a[2] = 1; if (a[$1$2$]) KEEP(1); return 0; }")
shared.add("vla-filled", """
NOINLINE static void fill(int *p, int k) { for (int i = 0; i < k; i++) p[i] = i; }
int main(void) { int a[n + 4]; fill(a, $n$n + 4$); if (a[n + 3]) KEEP(1); return 0; }""")
shared.add("alloca-loop", "int main(void) { for (int k = 0; k < 2; k++) { char *p = __builtin_alloca(16); p[$k$1$] = 1; if (p[1]) KEEP(1); } return 0; }")
shared.add("pointer", """
NOINLINE static void find(int **p, int k) { static int v; if (k == 3) *p = &v; }
int main(void) { int *p; find(&p, $n + 1$n$); KEEP(*p); return 0; }""")
shared.add("index", """
NOINLINE static void find(unsigned char *p, int k) { if (k == 3) *p = 1; }
static int a[256];
int main(void) { unsigned char k; find(&k, $n + 1$n$); KEEP(a[k]); return 0; }""")
shared.add("divisor", """
NOINLINE static void find(int *p, int k) { if (k == 3) *p = 1; }
int main(void) { int k; find(&k, $n + 1$n$); KEEP(100 / (k | 1)); return 0; }""")
shared.add("switch", """
NOINLINE static void find(int *p, int k) { if (k == 3) *p = 1; }
int main(void) { int k; find(&k, $n + 1$n$); switch (k) { case 1: KEEP(1); break; default: KEEP(2); } return 0; }""")
shared.add("scanf", 'int main(void) { int x, y; KEEP(sscanf($"1"$"1 2"$, "%d %d", &x, &y)); if (y) KEEP(1); return 0; }')
shared.add("bits", """
struct flags { unsigned a : 3, b : 5; };
NOINLINE static void set(struct flags *f) { f->a = 1; }
int main(void) { struct flags f; set(&f); if (f.$b$a$) KEEP(1); return 0; }""")
shared.add("longjmp", """
#include <setjmp.h>
static jmp_buf back;
NOINLINE static void leave(int *p, int k) { if (k == 3) *p = 1; longjmp(back, 1); }
int main(void) { int x; if (!setjmp(back)) leave(&x, $n + 1$n$); if (x) KEEP(1); return 0; }""")
shared.add("thread-member", """
struct work { int in, out; };
static void *run(void *p) { struct work *w = p; if (w->in == 3) w->out = 1; return 0; }
int main(void) { pthread_t t; struct work w; w.in = $n + 1$n$; pthread_create(&t, 0, run, &w); pthread_join(t, 0); if (w.out) KEEP(1); return 0; }""")
shared.add("result-of-join", """
static void *run(void *p) { return p; }
int main(void) { pthread_t t; void *r; pthread_create(&t, 0, run, 0); pthread_join(t, $0$&r$); if (r) KEEP(1); return 0; }""")
shared.add("mutex", """
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *p) { pthread_mutex_lock(&m); if (n == $4$3$) *(int *)p = 1; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; int x; pthread_create(&t, 0, run, &x); pthread_join(t, 0); pthread_mutex_lock(&m); if (x) KEEP(1); pthread_mutex_unlock(&m); return 0; }""")
shared.add("published", """
#include <stdatomic.h>
struct message { int kind, value; };
static struct message *_Atomic box;
static void *get(void *p) { struct message *m = atomic_load_explicit(&box, memory_order_acquire); (void)p; if (m && m->value) KEEP(1); return 0; }
int main(void) { pthread_t t; struct message m; m.kind = 1; $$m.value = 2;$ pthread_create(&t, 0, get, 0); atomic_store_explicit(&box, &m, memory_order_release); pthread_join(t, 0); return 0; }""")
shared.add("out-parameters", """
#include <semaphore.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
int main(void) {
    int value, state, type, kind, p[2], extra$$ = 0$; sem_t s; struct timespec t; struct timeval v; struct stat st; struct tm tm; time_t now; pthread_attr_t a; size_t size; sigset_t set; char *end; double part; struct sched_param sp;
    sem_init(&s, 0, 3); sem_getvalue(&s, &value); if (value != 3) KEEP(1);
    clock_gettime(CLOCK_MONOTONIC, &t); if (t.tv_nsec > 5) KEEP(1);
    gettimeofday(&v, 0); if (v.tv_usec > 5) KEEP(1);
    if (stat("/", &st) == 0 && st.st_size > 1) KEEP(1);
    time(&now); localtime_r(&now, &tm); if (tm.tm_hour > 3) KEEP(1);
    pthread_attr_init(&a); pthread_attr_getstacksize(&a, &size); if (size > 5) KEEP(1);
    pthread_attr_getdetachstate(&a, &kind); if (kind) KEEP(1);
    pthread_attr_destroy(&a);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state); if (state) KEEP(1);
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type); if (type) KEEP(1);
    sigemptyset(&set); if (sigismember(&set, 3)) KEEP(1);
    if (strtol("12x", &end, 10) && *end) KEEP(1);
    if (pthread_getschedparam(pthread_self(), &kind, &sp) == 0 && sp.sched_priority) KEEP(1);
    if (pipe(p)) return 0;
    if (p[0] > 100) KEEP(1);
    close(p[0]); close(p[1]);
    (void)part; if (extra) KEEP(1);
    return 0;
}""")

# Results and arguments.
calls.add("no-return", "NOINLINE static TYPE get(int k) { if (k == 3) return (TYPE)1; } int main(void) { if (get($n + 1$n$)) KEEP(1); return 0; }", TYPE=["int", "long", "char"])
calls.add("unused-result", """
NOINLINE static int get(int k) { if (k == 3) return 1; KEEP(k); }
int main(void) { int r = get(n + 1); if ($r$n$) KEEP(1); return 0; }""")
calls.add("unused-value", """
NOINLINE static int get(int *found, int k) { int v; if ((*found = k == 3)) v = 1; return v; }
int main(void) { int found, v = get(&found, n + 1); if ($v$found && v$) KEEP(1); return 0; }""")
calls.add("passed-on", """
NOINLINE static int first(int k) { int v; if (k == 3) v = 1; return v; }
NOINLINE static int second(int k) { return first(k); }
int main(void) { int v = second($n + 1$n$); if (v) KEEP(1); return 0; }""")
calls.add("by-pointer", """
NOINLINE static int get(int k) { int v; if (k == 3) v = 1; return v; }
int (*volatile function)(int) = get;
int main(void) { int v = function($n + 1$n$); if (v) KEEP(1); return 0; }""")
calls.add("after-another", """
NOINLINE static int none(void) { int v; return v; }
NOINLINE static int single(void) { return n; }
int main(void) { KEEP(3); none(); int v = $none()$single()$; if (v) KEEP(1); return 0; }""")
calls.add("pair", """
struct pair { int a, b; };
NOINLINE static struct pair make(int k) { struct pair p; p.a = k; $$p.b = k;$ return p; }
int main(void) { struct pair p = make(n); if (p.a && p.b) KEEP(1); return 0; }""")
calls.add("pair-unused", """
struct pair { int a, b; };
NOINLINE static struct pair make(int k) { struct pair p; p.a = k; return p; }
int main(void) { struct pair p = make(n), q = p; if (q.$b$a$) KEEP(1); return 0; }""")
calls.add("two-words", """
struct two { long a; int b; };
NOINLINE static struct two make(int k) { struct two p; p.a = k; $$p.b = k;$ return p; }
NOINLINE static int use(struct two p) { return p.a && p.b; }
int main(void) { if (use(make(n))) KEEP(1); return 0; }""")
calls.add("large", """
struct large { int a[10]; };
NOINLINE static struct large make(int k) { struct large p; for (int i = 0; i < k; i++) p.a[i] = i; return p; }
int main(void) { struct large p = make($n$10$); if (p.a[9]) KEEP(1); return 0; }""")
calls.add("binding", """
struct pair { int a, b; };
NOINLINE static pair make(int k) { pair p; p.a = k; return p; }
int main() { auto [a, b] = make(n); if ($b$a$) KEEP(1); return 0; }""", cpp=True)
calls.add("optional", """
#include <optional>
NOINLINE static std::optional<int> find(int k) { if (k == 3) return 1; return {}; }
int main() { int x; if (n == $4$3$) x = 0; auto r = find(n + 1); if (r && *r) KEEP(1); if (r.value_or(x)) KEEP(2); return 0; }""", cpp=True)

# Copies say nothing.
copies.add("structure", "struct s { int a, b; }; NOINLINE static void copy(struct s *to, const struct s *from) { *to = *from; } int main(void) { struct s x, y; x.a = 1; copy(&y, &x); if (y.$b$a$) KEEP(1); return 0; }")
copies.add("to-heap", "struct s { int a, b[6]; }; int main(void) { struct s x, *p = malloc(sizeof x); x.a = 1; *p = x; if ($p->b[3]$p->a$) KEEP(1); free(p); return 0; }")
copies.add("from-heap", "struct s { int a, b[6]; }; int main(void) { struct s x, *p = malloc(sizeof x); p->a = 1; x = *p; if ($x.b[3]$x.a$) KEEP(1); free(p); return 0; }")
copies.add("moved", "int main(void) { char *p = malloc(16); memset(p, 1, 8); memmove(p + 4, p, 12); if (p[$12$11$]) KEEP(1); free(p); return 0; }")
copies.add("swapped", """
struct s { int a, b; };
NOINLINE static void swap(struct s *x, struct s *y) { struct s t = *x; *x = *y; *y = t; }
int main(void) { struct s x = {1, 1}, y; y.a = 2; swap(&x, &y); if ($x.b$y.b$) KEEP(1); return 0; }""")
copies.add("by-word", "int main(void) { int *p = malloc(8), *q = malloc(8); p[0] = 1; for (int k = 0; k < 2; k++) q[k] = p[k]; if (q[$1$0$]) KEEP(1); free(p); free(q); return 0; }")
copies.add("grown", "int main(void) { int *p = malloc(8); p[0] = 1; p = realloc(p, 64); if (p[$1$0$]) KEEP(1); free(p); return 0; }")
copies.add("overwritten", "int main(void) { int *p = malloc(8), *q = malloc(8); q[0] = 0; $$q[1] = 0;$ memcpy(p, q, 8); if (p[1]) KEEP(1); free(p); free(q); return 0; }")
copies.add("counted", "struct s { int hits; }; NOINLINE static void hit(struct s *p) { p->hits++; } int main(void) { struct s *p = malloc(sizeof *p); $$p->hits = 0;$ hit(p); if (p->hits) KEEP(1); free(p); return 0; }")
copies.add("atomic", """
#include <stdatomic.h>
static _Atomic int shared;
int main(void) { int *p = malloc(8); p[0] = 1; atomic_store(&shared, p[$1$0$]); if (shared) KEEP(1); free(p); return 0; }""")
copies.add("compared-prefix", 'int main(void) { char *p = malloc(8); p[0] = \'x\'; if (memcmp(p, $"xbcdefg"$"abcdefg"$, 8) == 0) KEEP(1); free(p); return 0; }')
copies.add("string-builder", """
#include <string>
int main() { std::string s(n, 'a'), t; t = s + "b"; char c[8]; if (t.size() < sizeof c) memcpy(c, t.data(), t.size()); if (c[$5$1$] == 'b') KEEP(1); return 0; }""", cpp=True)
copies.add("vector", """
#include <vector>
struct s { int a, b; s() : a(1)$$, b(0)$ {} };
int main() { std::vector<s> v(3); v.push_back(s()); for (auto &x : v) if (x.a && x.b) KEEP(1); return 0; }""", cpp=True)
copies.add("variant", """
#include <variant>
struct s { int a, b; };
int main() { s x; x.a = 1; $$x.b = 2;$ std::variant<long, s> v = x; if (std::get<s>(v).b) KEEP(1); return 0; }""", cpp=True)
copies.add("recycled", """
struct node { struct node *next; int v; };
static struct node *spare;
NOINLINE static struct node *get(void) { struct node *p = spare; if (p) spare = p->next; else p = malloc(sizeof *p); return p; }
int main(void) { struct node *a = get(); a->v = 1; a->next = 0; $$a->next = spare;$ spare = a; struct node *b = get(); if (b->v) KEEP(1); struct node *c = $malloc(sizeof *c)$calloc(1, sizeof *c)$; if (c->v) KEEP(2); return 0; }""")

groups = [local, member, heap, shared, calls, copies]
