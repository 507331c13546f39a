# SPDX-License-Identifier: Apache-2.0
"""Objects whose place other code has a say in: members, thread-local variables, templates, parameters, containers, frames. The right
programs do what looks like an overrun and is none."""
from pairs import Group

members, locals_, merged, values, ends, containers, legal = (Group("layout-" + name) for name in (
    "member", "thread-local", "merged", "value", "lifetime", "container", "legal"))

S = "struct s { int first, a[3], b[3]; long last; };\n"
USES = {"pointer": "int *p = A; KEEP(p[$n$n - 1$]);", "pointer-write": "int *p = A; p[$n$n - 1$] = 4;",
        "sum": "long sum = 0; for (int *p = A, *end = p + n$ + 1$$; p != end; p++) sum += *p; KEEP(sum);",
        "before": "int *p = A; KEEP(p[$-one$zero$]);", "first-element": "int *p = &A[0]; KEEP(p[$n$n - 1$]);",
        "increment": "A[$n$n - 1$]++;", "add": "A[$n$n - 1$] += 2;", "far": "int *p = A + 1; p[$n + 1$one$] = 5;"}
members.add("local", S + "int main(void) { struct s x = {1, {1, 2, 3}, {4}}; USE KEEP(x.b[0]); return 0; }".replace("USE", "USE"),
            USE={k: v.replace("A", "x.a") for k, v in USES.items()})
members.add("heap", S + "int main(void) { struct s *x = calloc(1, sizeof *x); USE free(x); return 0; }",
            USE={k: v.replace("A", "x->a") for k, v in USES.items()})
members.add("parameter", S + "NOINLINE static void f(struct s *x) { USE }\nint main(void) { static struct s y; f(&y); return 0; }",
            USE={k: USES[k].replace("A", "x->a") for k in ("pointer", "sum")})
members.add("rows", """
struct m { int v[2][3], w[6]; };
int main(void) { struct m x = {{{1}}, {2}}; int *p = x.v[0]; KEEP(p[$2 * n$2 * n - 1$] + x.w[0]); return 0; }""")
members.add("text", """
struct line { char text[4], next[4]; };
int main(void) { struct line l = {"abc", "def"}; long k = 0; for (char *p = l.text; k < $5$4$; k++) KEEP(p[k]); return 0; }""")
members.add("class", """
class ring { int slots[4] = {}; unsigned tail = 0, guard = 7;
public: void push(int v) { int *to = slots; to[tail++$$ % 4$] = v; } unsigned get() { return guard; } };
int main() { ring r; for (int k = 0; k < n + 2; k++) r.push(k); KEEP(r.get()); return 0; }""", cpp=True)

locals_.add("by-thread", """
static _Thread_local int a[3], after[3];
static void *writer(void *p) { *(int *)p = 1; return 0; }
int main(void) { pthread_t t; KEEP((long)after); pthread_create(&t, 0, writer, a + $n$n - 1$); pthread_join(t, 0); return 0; }""")
locals_.add("in-thread", """
_Thread_local int a[3], after[3];
NOINLINE static void fill(int *p, int count) { for (int k = 0; k < count; k++) p[k] = k; }
static void *body(void *unused) { KEEP((long)after); fill(a, n$ + 1$$); return unused; }
int main(void) { pthread_t t; pthread_create(&t, 0, body, 0); pthread_join(t, 0); return 0; }""")
locals_.add("static", """
NOINLINE static int get(int *p, int k) { return p[k]; }
int main(void) { static _Thread_local int a[3], b[3]; KEEP((long)b); KEEP(get(a, $n$n - 1$)); return 0; }""")
locals_.add("structure", """
struct s { int n; short v[3]; }; static _Thread_local struct s a, b[2];
NOINLINE static long get(struct s *p) { return p->n; }
int main(void) { KEEP((long)&a); KEEP(get(&b[$2$1$])); return 0; }""")
locals_.add("memset", """
static __thread char a[5], b[64];
NOINLINE static void clear(char *p, int count) { memset(p, 0, count); }
int main(void) { KEEP((long)b); clear(a, $7$5$); return 0; }""")
locals_.add("atomic", """
static __thread _Atomic int a[2]; static __thread int after[8];
NOINLINE static void bump(_Atomic int *p) { (*p)++; }
int main(void) { KEEP((long)after); bump(a + $2$1$); return 0; }""")
locals_.add("cxx", """
thread_local int a[3] = {n, n, n}; thread_local int b[3];
NOINLINE static int get(int *p, int k) { return p[k]; }
int main() { KEEP((long)b); KEEP(get(a, $n$n - 1$)); return 0; }""", cpp=True)

HELP = "NOINLINE static long get(TYPE *p, int k) { return p[k]; }\n"
for name, declared, element, array in (
        ("inline", "inline int a[3] = {1, 2, 3}, after[3] = {4};", "int", "a"),
        ("template", "template <class T> struct t { static T a[3], b[3]; }; template <class T> T t<T>::a[3]; template <class T> T t<T>::b[3];", "long", "t<long>::a"),
        ("static-in-inline", "inline int *place() { static int a[3] = {1, 2, 3}, b[3]; KEEP((long)b); return a; }", "int", "place()"),
        ("constexpr", "struct k { static constexpr int a[3] = {1, 2, 3}, b[3] = {4}; };", "const int", "k::a"),
        ("inline-thread-local", "inline thread_local int a[3] = {1, 2, 3}, after[3] = {4};", "int", "a"),
        ("variable-template", "template <int N> int a[3] = {N, N, N}; template <int N> int b[3] = {N};", "int", "a<1>")):
    merged.add(name, declared + "\n" + HELP.replace("TYPE", element) + f"int main() {{ KEEP(get({array}, $n$n - 1$)); return 0; }}", cpp=True)
merged.add("weak", "__attribute__((weak)) int a[3] = {1, 2, 3}; __attribute__((weak)) int b[3];\n" + HELP.replace("TYPE", "int") +
           "int main(void) { KEEP((long)b); KEEP(get(a, $n$n - 1$)); return 0; }")
merged.add("weak-thread-local", "__attribute__((weak)) __thread int a[3] = {1, 2, 3}, b[3];\n" + HELP.replace("TYPE", "int") +
           "int main(void) { KEEP((long)b); KEEP(get(a, $n$n - 1$)); return 0; }")
merged.add("common", "int a[3], b[3];\n" + HELP.replace("TYPE", "int") + "int main(void) { KEEP((long)b); KEEP(get(a, $n$n - 1$)); return 0; }", flags=["-fcommon"])

V = "struct v { int a[6]; };\nNOINLINE static long get(int *p, int k) { return p[k]; }\n"
values.add("parameter", V + "NOINLINE static long use(struct v x) { return get(x.a, $2 * n$n$); }\nint main(void) { struct v y = {{1}}; KEEP(use(y)); return 0; }")
values.add("parameter-before", V + "NOINLINE static long use(struct v x) { return get(x.a, $-1$0$); }\nint main(void) { struct v y = {{1}}; KEEP(use(y)); return 0; }")
values.add("parameter-last", V + "NOINLINE static long use(long a, long b, struct v x, struct v y) { KEEP(y.a[0]); return a + b + get(x.a, $2 * n$n$); }\nint main(void) { struct v y = {{1}}; KEEP(use(1, 2, y, y)); return 0; }")
values.add("parameter-loop", V + "NOINLINE static long use(struct v x) { long sum = 0; for (int *p = x.a, *end = p + 6$ + 1$$; p != end; p++) sum += *p; return sum; }\nint main(void) { struct v y = {{1}}; KEEP(use(y)); return 0; }")
values.add("returned", V + "NOINLINE static struct v make(void) { struct v x = {{1}}; x.a[5] = get(x.a, $2 * n$n$); return x; }\nint main(void) { struct v y = make(); KEEP(y.a[0]); return 0; }")
values.add("returned-cxx", V + "NOINLINE static v make() { v x = {{1}}; int *p = x.a; p[$2 * n$n$] = 2; return x; }\nint main() { v y = make(); KEEP(y.a[0]); return 0; }", cpp=True)
values.add("thread", V + """
static void *reader(void *p) { KEEP(*(int *)p); return 0; }
NOINLINE static void use(struct v x) { pthread_t t; pthread_create(&t, 0, reader, x.a + $6$5$); pthread_join(t, 0); }
int main(void) { struct v y = {{1}}; use(y); return 0; }""")

ends.add("literal", "int main(void) { TYPE *p; $$p = LITERAL;$ if (n) { $p = LITERAL;$;$ } KEEP(*(char *)p); return 0; }",
         TYPE=["int"], LITERAL={"array": "(int[]){n, 2}", "scalar": "&(int){n}", "constant": "(int[]){5, 6}"})
ends.add("literal-structure", "struct s { int a, b; };\nNOINLINE static int get(struct s *p) { return p->b; }\nint main(void) { struct s *p, q = {1, 2}; { p = $&(struct s){n, 2}$&q$; } KEEP(get(p)); return 0; }")
ends.add("literal-switch", "int main(void) { int *p = &n; switch (n) { case 3: { $p = $$(int[]){n}; break; } } KEEP(*p); return 0; }")
ends.add("literal-loop", "int main(void) { int *p = 0; for (int k = 0; k < n; k++) { int *q = (int[]){k, k}; q[1]++; $p = q;$KEEP(*q);$ } if (p) KEEP(p[1]); return 0; }")
ends.add("literal-thread", """
static void *reader(void *p) { KEEP(*(int *)p); return 0; }
int main(void) { pthread_t t; { pthread_create(&t, 0, reader, (int[]){n}); $$pthread_join(t, 0);$ } $pthread_join(t, 0);$$ return 0; }""")
ends.add("vla-reused", "int main(void) { int *p; { int a[n]; a[0] = 1; p = a; $$KEEP(*p);$ } { int b[n]; b[0] = 2; $KEEP(*p);$$ KEEP(b[0]); } return 0; }")
ends.add("call-site", """
static int *saved;
NOINLINE static void keep(int v) { int x = v; saved = &x; KEEP(*saved); }
NOINLINE static void other(void) { int y = 4; int *volatile p = &y; KEEP($*saved$*p$); }
int main(void) { keep(1); other(); return 0; }""")
ends.add("waiting", """
static _Atomic int flag; struct job { int *where; }; static struct job j;
static int peek(struct job *k) { int x = 0; k->where = &x; int f = flag; $$k->where = 0;$ return f; }
static void *body(void *p) { while (!peek(&j)); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, body, 0); flag = 1; pthread_join(t, 0); if (j.where) KEEP(*j.where); return 0; }""")
ends.add("helper", """
struct node { struct node *next; int v; }; static struct node *head;
NOINLINE static void add(struct node *k) { k->next = head; head = k; }
NOINLINE static void push(int v) { struct node k = {0, v}; add(&k); KEEP(head->v); $$head = k.next;$ }
int main(void) { push(1); push(2); for (struct node *k = head; k; k = k->next) KEEP(k->v); return 0; }""")
ends.add("helper-other", """
static int *saved; NOINLINE static void save(int *p) { saved = p; }
NOINLINE static void keep(int v) { int x = v; save(&x); KEEP(*saved); }
NOINLINE static void other(void) { int y = 4; int *volatile p = &y; KEEP($*saved$*p$); }
int main(void) { keep(1); other(); return 0; }""")
ends.add("rounds", """
static int *saved;
NOINLINE static void keep(int v) { int x = v; $if (saved) KEEP(*saved);$$ saved = &x; KEEP(*saved); }
int main(void) { for (int k = 0; k < n; k++) keep(k); return 0; }""")

for name, container, spoil in (
        ("vector", "std::vector<int> v{1, 2, 3}; v.reserve(8)", "v.data()[$n$n - 1$]"),
        ("vector-pop", "std::vector<int> v{1, 2, 3, 4}; v.pop_back()", "v.data()[$n$n - 1$]"),
        ("vector-clear", "std::vector<int> v{1, 2, 3, 4}; int *p = v.data(); $v.clear()$v.resize(4)$", "p[0]"),
        ("vector-erase", "std::vector<long> v{1, 2, 3, 4}; auto *p = &v[3]; $v.erase(v.begin())$v[0] = 4$", "*p"),
        ("vector-write", "std::vector<int> v; for (int k = 0; k < 5; k++) v.push_back(k)", "v.data()[$5$4$] = 1"),
        ("string-reserve", "std::string v(\"abcdefghijklmnopqrstuvwxyz\"); v.reserve(99)", "v.data()[$30$20$]"),
        ("deque", "std::deque<int> v{1, 2, 3, 4}; int *p = &v.front(); $v.pop_front()$v.pop_back()$", "*p")):
    containers.add(name, f"#include <vector>\n#include <string>\n#include <deque>\nint main() {{ {container}; KEEP({spoil}); return 0; }}", cpp=True)

legal.add("container-of", """
#include <stddef.h>
struct node { long key; int list[2]; int links[2]; long value; };
NOINLINE static struct node *owner(int *p) { return (struct node *)((char *)p - offsetof(struct node, links)); }
int main(void) {
    struct node x = {1, {2}, {3}, 4}; int *link = x.links;
    struct node *o = (struct node *)((char *)link - offsetof(struct node, links)); KEEP(o->key + owner(link)->value);
    char *c = (char *)x.list; KEEP(*(long *)(c - sizeof(long))); KEEP(((struct node *)(c - offsetof(struct node, list)))->value);
    int *p = x.list; KEEP(p[$2$1$]); return 0;
}""")
legal.add("flexible", """
struct f { long n; int v[FLEX]; };
int main(void) {
    struct f *x = malloc(sizeof *x + 8 * sizeof(int)); x->n = 4; int *p = x->v;
    for (int k = 0; k < 8; k++) p[k] = k;
    KEEP(x->v[n] + p[$30$7$]); free(x); return 0;
}""", FLEX={"none": "", "zero": "0", "one": "1", "four": "4"})
legal.add("unions", """
union u { char bytes[16]; int words[4]; struct { short h[2]; int rest[3]; } s; };
int main(void) {
    union u x; memset(&x, 0, sizeof x); char *p = x.bytes; int *w = x.words;
    for (int k = 0; k < 16; k++) p[k] = k;
    for (int k = 0; k < 4; k++) KEEP(w[k]);
    int *r = x.s.rest; KEEP(x.s.h[1] + r[n - 1]); KEEP(w[$n + 1$n$]); return 0;
}""")
legal.add("whole", """
struct s { int a[2], b[2]; char c[3]; long d; };
int main(void) {
    struct s x = {{1, 2}, {3, 4}, "a", 5}, y; memcpy(&y, &x, sizeof x); memcpy(y.a, x.a, sizeof x); memset(&y.a, 0, sizeof y);
    memmove(&y.a[0], &x, sizeof y$ + 1$$); unsigned char *p = (unsigned char *)&x.a; long sum = 0;
    for (unsigned k = 0; k < sizeof x; k++) sum += p[k];
    KEEP(sum + y.d); return 0;
}""")
legal.add("arena", """
static _Alignas(16) char arena[256]; static unsigned used;
NOINLINE static void *take(unsigned size) { void *p = arena + used; used += (size + 15) & ~15u; return p; }
struct n { struct n *next; int v[3]; };
int main(void) {
    struct n *head = 0; for (int k = 0; k < 8; k++) { struct n *x = take(sizeof *x); x->next = head; int *p = x->v; p[$k$2$] = k; head = x; }
    for (; head; head = head->next) KEEP(head->v[2]);
    return 0;
}""")
legal.add("linker-set", """
#define ENTRY(name, v) static const int name __attribute__((section("numbers"), used)) = v
ENTRY(a, 1); ENTRY(b, 2); ENTRY(c, 3);
extern const int __start_numbers[], __stop_numbers[];
int main(void) { long sum = 0; for (const int *p = __start_numbers; p != __stop_numbers$ + 1$$; p++) sum += *p; if (sum != 6) abort(); return 0; }""")
legal.add("thread-local-array", """
struct s { int a[3]; long b; }; static __thread struct s all[4]; static __thread char small; static __thread long tail[2];
NOINLINE static long walk(struct s *p, struct s *end) { long sum = 0; for (; p != end; p++) sum += p->b + p->a[2]; return sum; }
static void *body(void *unused) { KEEP(walk(all, all + 4$ + 1$$) + small + tail[1]); small = 1; tail[0] = 2; return unused; }
int main(void) { pthread_t t; body(0); pthread_create(&t, 0, body, 0); pthread_join(t, 0); return 0; }""")
legal.add("placement", """
#include <new>
struct s { long head; int v[4], more; ~s() {} };
struct holder { alignas(s) unsigned char room[sizeof(s)]; long after = 7; };
int main() {
    holder h; s *x = new (h.room) s{1, {1, 2, 3, 4}, 5}; int *p = x->v; KEEP(p[$n + 1$n$]);
    s *y = std::launder(reinterpret_cast<s *>(h.room)); KEEP(y->head + y->v[3] + h.after); y->~s(); return 0;
}""", cpp=True)
legal.add("inheritance", """
struct a { int v[2] = {1, 2}; char t; }; struct b : a { char u; int w[3] = {3, 4, 5}, more = 1; virtual ~b() {} }; struct c : b { int z[2] = {6, 7}; };
NOINLINE static long get(a *p) { return static_cast<c *>(p)->z[1] + static_cast<b *>(p)->w[2]; }
int main() { c x; int *p = x.w; KEEP(get(&x) + p[$n$n - 1$]); return 0; }""", cpp=True)
legal.add("jump", """
#include <setjmp.h>
static jmp_buf back; struct v { int a[5]; };
NOINLINE static void deep(struct v x) { int *p = x.a; p[4] = 1; KEEP(p[n]); longjmp(back, 1); }
int main(void) { struct v y = {{1}}; volatile int rounds = 0; if (setjmp(back) == 0 || rounds++ < 3) deep(y); KEEP(y.a[$n + 2$n$]); return 0; }""")
legal.add("vla-empty", "int main(void) { int a[zero + 1], b[zero], *end = b + zero; a[0] = 1; for (int *p = b; p != end; p++) KEEP(*p); KEEP(a[$1$0$]); KEEP((long)b); return 0; }")
legal.add("alloca-loop", "int main(void) { char *all[4]; for (int k = 0; k < 4; k++) { all[k] = __builtin_alloca(k + 1); memset(all[k], k, k + 1$ + (k == 3)$$); } KEEP(all[3][0]); return 0; }")
legal.add("realloc", "int main(void) { int *p = malloc(3 * sizeof *p); p[2] = 1; p = realloc(p, 5 * sizeof *p); p[4] = 2; p = realloc(p, 2 * sizeof *p); p[$2$1$] = 3; free(p); return 0; }")
legal.add("one-past", """
struct s { int a[3], b[3]; };
int main(void) { struct s x = {{1, 2, 3}, {4}}; int *end = x.a + 3; long sum = 0; while (end != x.a) sum += *--end; KEEP(sum + &x.a[3] - x.b); KEEP($*(x.a + n)$x.b[0]$); return 0; }""")
legal.add("coroutine", """
#include <coroutine>
struct task { struct promise_type { int now; task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; } std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int v) { now = v; return {}; } void return_void() {} void unhandled_exception() {} };
    std::coroutine_handle<promise_type> h; };
struct s { int a[3], b[3]; };
static task count() { s x{{1, 2, 3}, {4, 5, 6}}; for (int k = 0; k < 3; k++) co_yield x.a[k$ + 1$$]; }
int main() { task t = count(); long sum = 0; for (t.h.resume(); !t.h.done(); t.h.resume()) sum += t.h.promise().now; t.h.destroy(); KEEP(sum); return 0; }""", cpp=True)
legal.add("literal-lives", """
struct s { int a, b; }; static void done(struct s **p) { KEEP((*p)->b); }
NOINLINE static int add(const int *p) { return p[0] + p[1]; }
static int *file = (int[]){1, 2};
int main(void) {
    int *outer = (int[]){n, 4}, k = 0; long sum = 0;
again:
    if (n) { struct s *p __attribute__((cleanup(done))) = &(struct s){n, 2}; int *q = (int[]){k, 5};
        for (int j = 0; j < 2; j++) { sum += q[j] + p->a; switch (j) { case 1: sum += add((int[]){j, q[1]}); } }
        if (k++ < 2) goto again; $outer = q;$$ }
    KEEP(sum + outer[1] + file[1] + ({ int *r = (int[]){1, 2}; r[1]; })); return 0;
}""")
legal.add("vector-growth", """
#include <vector>
#include <string>
#include <memory>
static std::vector<std::string> names; static std::vector<int> moved(std::vector<int> v) { v.push_back(1); return v; }
int main() {
    for (int k = 0; k < 9; k++) { names.push_back("n" + std::to_string(k)); names.insert(names.begin(), "x"); }
    names.erase(names.begin() + 2, names.begin() + 5); names.resize(20); names.shrink_to_fit(); names.emplace_back("y");
    auto v = moved({1, 2, 3}); v.reserve(20); v.assign(7, 4); std::vector<int> w; w.swap(v); w.insert(w.end(), {1, 2}); v = w; v.clear(); v.push_back(3);
    std::vector<bool> bits(70); bits[69] = true; std::vector<std::unique_ptr<int>> owned; owned.emplace_back(new int(1)); owned.pop_back();
    std::vector<int> u(w.begin(), w.end()); u.pop_back(); v = std::move(u); v.push_back(1); v[0] = 2;
    KEEP(w[8] + v[0] + bits[69] + names.back().size()); KEEP($w.data()[9]$0$); return 0;
}""", cpp=True)

groups = [members, locals_, merged, values, ends, containers, legal]
