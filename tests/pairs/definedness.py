# SPDX-License-Identifier: Apache-2.0
"""What was never given a value and decides something."""
from pairs import Group

local, heap, member = Group("undefined-local"), Group("undefined-heap"), Group("undefined-member")

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
member.add("union", "union u { char c; int i; }; int main(void) { union u x; x.c = 1; if (x.$i$c$) KEEP(1); return 0; }")
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

groups = [local, member, heap]
