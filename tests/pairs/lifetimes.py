# SPDX-License-Identifier: Apache-2.0
"""Blocks, frames and temporaries that have ended."""
from pairs import Group

scope, temporary, captured, frame = Group("scope"), Group("temporary"), Group("captured"), Group("return")

TYPES = ["char", "int", "double"]
scope.add("read", "int main(void) { TYPE *p; { TYPE x = 1; p = &x; $$KEEP(*p);$ } $KEEP(*p);$$ return 0; }", TYPE=TYPES)
scope.add("write", "int main(void) { TYPE *p; { TYPE x = 1; p = &x; $$*p = 2; KEEP(x);$ } $*p = 2;$$ return 0; }", TYPE=TYPES)
scope.add("use", """
struct s { int a, b; };
NOINLINE static void read_it(const struct s *p) { KEEP(p->b); }
int main(void) { struct s *p, q = {0, 0}; $$struct s x = {1, 2};$ { $struct s x = {1, 2};$$ p = &x; } USE; KEEP(q.a); return 0; }
""", USE={"callee": "read_it(p)", "copy": "q = *p", "memcpy": "memcpy(&q, p, sizeof q)", "memset": "memset(p, 0, sizeof *p)",
          "atomic": "KEEP(__atomic_load_n(&p->a, __ATOMIC_ACQUIRE))"})
scope.add("array", "int main(void) { int *p; { int a[4] = {1, 2, 3, 4}; p = a + 1; $$KEEP(p[n - 1]);$ } $KEEP(p[n - 1]);$$ return 0; }")
scope.add("vla", "int main(void) { int *p; { int a[n]; a[1] = 1; p = a; $$KEEP(p[1]);$ } $KEEP(p[1]);$$ return 0; }")
scope.add("compound-literal", "int main(void) { int *p; $$p = (int[]){1, 2};$ { $p = (int[]){1, 2};$;$ } KEEP(p[1]); return 0; }")
scope.add("earlier-round", """
int main(void) {
    int *p = 0; $$int x = 0;$
    for (int k = 0; k < n; k++) { $int x = k;$x = k;$ if (p) KEEP(*p); p = &x; }
    return 0;
}""")
scope.add("loop-counter", "int main(void) { int *p = 0, k; for ($int k = 0$k = 0$; k < n; k++) p = &k; KEEP(*p); return 0; }")
scope.add("switch", """
int main(void) {
    int *p = 0;
    switch (n) { case 3: { int x = 4; p = &x; $$KEEP(*p); break;$ } default: break; }
    $KEEP(*p);$$ return 0;
}""")
scope.add("goto", """
int main(void) {
    int *p = 0, rounds = 0, last = 7;
again: {
        int x = rounds;
        if (rounds++ == 0) { p = $&x$&last$; goto again; }
    }
    KEEP(*p); return 0;
}""")
scope.add("thread", """
static void *reader(void *p) { KEEP(*(int *)p); return 0; }
int main(void) {
    pthread_t t;
    { int x = 1; pthread_create(&t, 0, reader, &x); $$pthread_join(t, 0);$ }
    $pthread_join(t, 0);$$ return 0;
}""")
scope.add("thread-fills", """
static void *writer(void *p) { *(int *)p = 1; return 0; }
int main(void) {
    pthread_t t;
    if (n) { int x = 0; pthread_create(&t, 0, writer, &x); $$pthread_join(t, 0);$ }
    $pthread_join(t, 0);$$ return 0;
}""")
scope.add("if", "int main() { int *p, x = 0; if ($int x = 1; $$n) { p = &x; } KEEP(*p); return 0; }", cpp=True)
scope.add("range-for", """
int main() { const int *last = nullptr, a[] = {1, 2}; for (const int $$&$v : a) last = &v; KEEP(*last); return 0; }""", cpp=True)
scope.add("lambda", """
struct reader { int *p; int operator()() const { return *p; } };
int main() { reader f{&n}; { int x = 2; auto g = [&x] { return &x; }; f.p = $g()$f.p$; } KEEP(f()); return 0; }""", cpp=True)
scope.add("catch", """
int main() {
    int *p = nullptr, kept = 0;
    try { throw 5; } catch (int &e) { p = &e; kept = e; }
    KEEP($*p$kept$); return 0;
}""", cpp=True)

SHAPE = "struct s { int v; s(int a) : v(a) {} ~s() { v = 0; } };\n"
temporary.add("reference", SHAPE + """
NOINLINE static const s &same(const s &a) { return a; }
int main() { $const s &r = same(s(1));$const s r = same(s(1));$ KEEP(r.v); return 0; }""", cpp=True)
temporary.add("min", """
#include <algorithm>
int main() { const int $&$$r = std::min(n, 2); KEEP(r); return 0; }""", cpp=True)
temporary.add("pointer", SHAPE + """
struct t : s { using s::s; const int *get() const { return &v; } };
int main() { $$t kept(1);$ const int *p = $t(1)$kept$.get(); KEEP(*p); return 0; }""", cpp=True)
temporary.add("member-reference", SHAPE + """
struct holder { const s &r; holder(const s &a) : r(a) {} };
int main() { $$s kept(1);$ holder h($s(1)$kept$); KEEP(h.r.v); return 0; }""", cpp=True)
temporary.add("initializer-list", """
#include <initializer_list>
NOINLINE static const int *first(std::initializer_list<int> l) { return l.begin(); }
int main() { $const int *p = first({n, 1});$const int p[] = {*first({n, 1})};$ KEEP(*p); return 0; }""", cpp=True)
temporary.add("string-view", """
#include <string>
#include <string_view>
NOINLINE static std::string make() { return std::string(TEXT); }
int main() { $std::string_view v = make();$std::string v = make();$ KEEP(v[0]); return 0; }""",
              TEXT={"short": '"abc"', "long": '60, \'a\''}, cpp=True)
temporary.add("c_str", """
#include <string>
NOINLINE static std::string make() { return "abc"; }
int main() { $$std::string s = make();$ const char *p = $make()$s$.c_str(); KEEP(strlen(p)); return 0; }""", cpp=True)
temporary.add("conditional", SHAPE + """
static s global(2);
int main() { const s *p = &static_cast<const s &>($n ? s(1) : global$n ? global : global$); KEEP(p->v); return 0; }""", cpp=True)
temporary.add("range", """
#include <vector>
struct owner { std::vector<int> v{1, 2}; const std::vector<int> &get() const { return v; } };
int main() { $$owner kept;$ for (int k : $owner()$kept$.get()) KEEP(k); return 0; }""", cpp=True)

captured.add("lambda", """
NOINLINE static auto make(int by) { return [$&by$by$](int a) { return a + by; }; }
int main() { auto f = make(n); KEEP(f(1)); return 0; }""", cpp=True)
captured.add("thread", """
#include <thread>
static std::thread t;
NOINLINE static void start() { int x = n; t = std::thread([$&x$x$] { KEEP(x); }); }
int main() { start(); t.join(); return 0; }""", cpp=True)
captured.add("thread-writes", """
#include <thread>
static std::thread t;
NOINLINE static void start() { int x = n; t = std::thread([&] { x = 4; }); $$t.join();$ }
int main() { start(); $t.join();$$ return 0; }""", cpp=True)
captured.add("this", """
#include <thread>
struct job { int v = 1; std::thread start() { return std::thread([$this$*this$] { KEEP(v); }); } };
NOINLINE static std::thread begin() { job j; return j.start(); }
int main() { std::thread t = begin(); t.join(); return 0; }""", cpp=True)
captured.add("async", """
#include <future>
NOINLINE static std::future<int> start() { int x = n; return std::async(std::launch::async, [$&$=$] { return x + 1; }); }
int main() { auto f = start(); KEEP(f.get()); return 0; }""", cpp=True)
captured.add("function", """
#include <functional>
static std::function<int()> f;
NOINLINE static void set() { int x = n; f = [$&$=$] { return x; }; }
int main() { set(); KEEP(f()); return 0; }""", cpp=True)
captured.add("pthread", """
static pthread_t t;
static void *reader(void *p) { KEEP(*(int *)p); return 0; }
NOINLINE static void start(void) { int x = n; pthread_create(&t, 0, reader, &x); $$pthread_join(t, 0);$ }
int main(void) { start(); $pthread_join(t, 0);$$ return 0; }""")
captured.add("argument", """
static pthread_t t;
static void *reader(void *p) { KEEP(*(int *)p); return 0; }
NOINLINE static void start(int x) { pthread_create(&t, 0, reader, &x); $$pthread_join(t, 0);$ }
int main(void) { start(n); $pthread_join(t, 0);$$ return 0; }""")
captured.add("queue-node", """
struct node { struct node *next; int v; } *_Atomic head;
static void *consume(void *unused) { struct node *h = head; (void)unused; if (h) KEEP(h->v); return 0; }
NOINLINE static void push(int v) { struct node x = {0, v}; head = &x; $$head = 0;$ }
int main(void) { pthread_t t; $$push(1);$ pthread_create(&t, 0, consume, 0); $push(1);$$ pthread_join(t, 0); return 0; }""")

frame.add("read", """
NOINLINE static TYPE *same(TYPE *p) { return p; }
NOINLINE static TYPE *leak(void) { $$static$ TYPE x = 1; return same(&x); }
int main(void) { TYPE *p = leak(); KEEP(*p); return 0; }""", TYPE=TYPES)
frame.add("kept", """
struct s { int a, b; } *kept;
NOINLINE static void set(WHAT) { BODY }
int main(void) { $$static struct s other;$ struct s s = {1, 2}; set(GIVEN); $$kept = &other;$ KEEP(kept->b); return 0; }""".replace("WHAT", "PARAMETER"),
          PARAMETER={"value": "struct s x"}, BODY={"argument": "kept = &x;"}, GIVEN={"s": "s"})
frame.add("array", """
static int *kept;
NOINLINE static void set(void) { DECLARATION; a[1] = 4; kept = a; }
int main(void) { static int other[3]; set(); $$kept = other;$ KEEP(kept[1]); return 0; }""",
          DECLARATION={"fixed": "int a[3]", "vla": "int a[n]", "alloca": "int *a = __builtin_alloca(sizeof(int) * n)"})
frame.add("re-entered", """
static int *saved;
NOINLINE static void enter(int first) { int x = n + first; if (first) saved = &x; else $KEEP(*saved);$$ KEEP(x); }
int main(void) { enter(1); enter(0); return 0; }""")
frame.add("re-entered-write", """
static int *saved;
NOINLINE static void enter(int first) { int x = n + first; if (first) saved = &x; else $*saved = 1;$$ KEEP(x); }
int main(void) { enter(1); enter(0); return 0; }""")
frame.add("other-function", """
static int *saved;
NOINLINE static void one_(void) { int x = 1; saved = &x; KEEP(*saved); }
NOINLINE static void other(void) { int y[4] = {1, 2, 3, 4}; int *p = y; KEEP(p[n]); $KEEP(*saved);$$ }
int main(void) { one_(); other(); return 0; }""")
frame.add("recursion", """
NOINLINE static int *deep(int k) { int x = k; static int last; if (k) { int *p = deep(k - 1); return p; } $$last = x;$ int *p = $&x$&last$; __asm__("" : "+r"(p)); return p; }
int main(void) { KEEP(*deep(3)); return 0; }""")
frame.add("thread-stack", """
static void *body(void *unused) { $$static$ int x; int *p = &x; (void)unused; *p = 1; __asm__("" : "+r"(p)); return p; }
int main(void) { pthread_t t; void *p; pthread_create(&t, 0, body, 0); pthread_join(t, &p); KEEP(*(int *)p); return 0; }""")
frame.add("jump", """
#include <setjmp.h>
static jmp_buf back; static int *saved, other;
NOINLINE static void leave(void) { int x = 1; saved = $&x$&other$; KEEP(*saved); longjmp(back, 1); }
int main(void) { if (!setjmp(back)) leave(); KEEP(*saved); return 0; }""")
frame.add("object", """
struct s { int v; s(int a) : v(a) {} s *self() { return this; } };
NOINLINE static s *make() { $$static$ s x(1); return x.self(); }
int main() { KEEP(make()->v); return 0; }""", cpp=True)
frame.add("exception", """
static int *saved, other;
NOINLINE static void leave() { int x = 1; saved = $&x$&other$; KEEP(*saved); throw 1; }
int main() { try { leave(); } catch (int) {} KEEP(*saved); return 0; }""", cpp=True)
frame.add("out-parameter", """
NOINLINE static void fill(int **out) { int x = 1; static int y; *out = &x; KEEP(**out); $$*out = &y;$ }
int main(void) { int *p; fill(&p); KEEP(*p); return 0; }""")
frame.add("list", """
struct node { struct node *next; int v; } *head;
NOINLINE static void push(void) { struct node x = {head, 1}; head = &x; KEEP(head->v); $$head = head->next;$ }
int main(void) { push(); for (struct node *k = head; k; k = k->next) KEEP(k->v); return 0; }""")

groups = [scope, temporary, captured, frame]
