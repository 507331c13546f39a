# SPDX-License-Identifier: Apache-2.0
"""Blocks, locks and strings used as they must not be."""
from pairs import Group

locked, deleted, overlap, released, freed = Group("locked"), Group("delete"), Group("overlap"), Group("released"), Group("free")

for name, kind, init, take, give in (
        ("mutex", "pthread_mutex_t", "pthread_mutex_init(p, 0)", "pthread_mutex_lock(p)", "pthread_mutex_unlock(p)"),
        ("rwlock", "pthread_rwlock_t", "pthread_rwlock_init(p, 0)", "pthread_rwlock_rdlock(p)", "pthread_rwlock_unlock(p)"),
        ("spin", "pthread_spinlock_t", "pthread_spin_init(p, 0)", "pthread_spin_lock(p)", "pthread_spin_unlock(p)")):
    locked.add(name + "-free", f"int main(void) {{ {kind} *p = malloc(sizeof *p); {init}; {take}; $${give};$ free((void *)p); return 0; }}")
    locked.add(name + "-realloc", f"int main(void) {{ {kind} *p = malloc(sizeof *p); {init}; {take}; $${give};$ p = realloc((void *)p, 4096); free((void *)p); return 0; }}")
    locked.add(name + "-scope", f"NOINLINE static void f(void) {{ {kind} m, *p = &m; {init}; {take}; $${give};$ }} int main(void) {{ f(); return 0; }}")
locked.add("member-free", """
struct s { int a; pthread_mutex_t m; };
int main(void) { struct s *p = malloc(sizeof *p); pthread_mutex_init(&p->m, 0); pthread_mutex_lock(&p->m); $$pthread_mutex_unlock(&p->m);$ free(p); return 0; }""")
locked.add("other-thread-holds", """
static pthread_mutex_t *p; static _Atomic int held;
static void *holder(void *unused) { (void)unused; pthread_mutex_lock(p); held = 1; $$pthread_mutex_unlock(p);$ return 0; }
int main(void) { pthread_t t; p = malloc(sizeof *p); pthread_mutex_init(p, 0); pthread_create(&t, 0, holder, 0); pthread_join(t, 0); free(p); return 0; }""")
locked.add("destroyed", "int main(void) { pthread_mutex_t m; pthread_mutex_init(&m, 0); pthread_mutex_lock(&m); $$pthread_mutex_unlock(&m);$ pthread_mutex_destroy(&m); return 0; }")
locked.add("std-mutex", """
#include <mutex>
int main() { std::mutex *p = new std::mutex; p->lock(); $$p->unlock();$ delete p; return 0; }""", cpp=True)
locked.add("std-shared-mutex", """
#include <shared_mutex>
int main() { auto *p = new std::shared_mutex; p->lock_shared(); $$p->unlock_shared();$ delete p; return 0; }""", cpp=True)
locked.add("c11", """
#include <threads.h>
int main(void) { mtx_t *p = malloc(sizeof *p); mtx_init(p, mtx_plain); mtx_lock(p); $$mtx_unlock(p);$ free(p); return 0; }""")
locked.add("unmapped", """
#include <sys/mman.h>
int main(void) {
    pthread_mutex_t *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_mutex_init(p, 0); pthread_mutex_lock(p); $$pthread_mutex_unlock(p);$ munmap(p, 4096); return 0;
}""")

HIERARCHY = "struct base { int a = 1; $$virtual$ ~base() {} }; struct derived : base { int b[8] = {}; };\n"
deleted.add("base", HIERARCHY + "int main() { base *p = new derived; delete p; return 0; }", cpp=True)
deleted.add("base-unique", "#include <memory>\n" + HIERARCHY + "int main() { std::unique_ptr<base> p(new derived); return 0; }", cpp=True)
deleted.add("base-default", "struct base { int a = 1; $$virtual ~base() = default;$ }; struct derived : base { int b[8] = {}; };\nint main() { base *p = new derived; delete p; return 0; }", cpp=True)
deleted.add("base-aligned", "struct alignas(64) base { int a = 1; $$virtual$ ~base() {} }; struct derived : base { int b[32] = {}; };\nint main() { base *p = new derived; delete p; return 0; }", cpp=True)
deleted.add("base-second", "struct first { long x = 0; $$virtual ~first() {}$ }; struct base { int a = 1; $$virtual$ ~base() {} }; struct derived : first, base { int b[8] = {}; };\nint main() { base *p = new derived; delete p; return 0; }", cpp=True)
deleted.add("base-array", "struct base { int a; }; struct derived : base { int b; };\nint main() { base *p = $reinterpret_cast<base *>(new derived)$new base$; delete p; return 0; }", cpp=True)
deleted.add("cast", "struct small { int a; }; struct large { int a[10]; };\nint main() { large *p = new large; delete $(small *)$$p; return 0; }", cpp=True)
deleted.add("sized", "int main() { void *p = ::operator new(24); ::operator delete(p, std::size_t($8$24$)); return 0; }".replace("int main", "#include <new>\nint main"), cpp=True)
deleted.add("sized-array", "int main() { void *p = ::operator new[](24); ::operator delete[](p, std::size_t($8$24$)); return 0; }".replace("int main", "#include <new>\nint main"), cpp=True)
deleted.add("sized-aligned", "int main() { void *p = ::operator new(64, std::align_val_t(64)); ::operator delete(p, std::size_t($8$64$), std::align_val_t(64)); return 0; }".replace("int main", "#include <new>\nint main"), cpp=True)
deleted.add("allocator", """
#include <memory>
int main() { std::allocator<int> a; int *p = a.allocate(4); a.deallocate(p, $2$4$); return 0; }""", cpp=True)
deleted.add("form", "int main() { int *p = new int[4]; delete$$[]$ p; return 0; }", cpp=True)
deleted.add("form-array", "int main() { int *p = new int; delete$[]$$ p; return 0; }", cpp=True)
deleted.add("freed", "int main() { int *p = new int; $free(p)$delete p$; return 0; }", cpp=True)
deleted.add("malloced", "int main() { int *p = (int *)malloc(4); $delete p$free(p)$; return 0; }", cpp=True)
deleted.add("twice", "int main() { int *p = new int; delete p; $delete p;$$ return 0; }", cpp=True)
deleted.add("alignment", "int main() { void *p = ::operator new(64, std::align_val_t(64)); ::operator delete(p$$, std::align_val_t(64)$); return 0; }".replace("int main", "#include <new>\nint main"), cpp=True)
deleted.add("incomplete-tail", "#include <new>\nstruct s { int n; char tail[4]; };\nint main() { s *p = (s *)::operator new(sizeof(s) + 8); $delete p$::operator delete(p)$; return 0; }", cpp=True)

A = "char a[16] = \"abcdef\", b[16] = \"abcdef\"; KEEP(b[0]); "
for name, call in (("strcpy", "strcpy($a + 2$b$, a)"), ("strncpy", "strncpy($a + 2$b$, a, 5)"), ("strcat", "strcat($a$b$, a)"), ("memcpy", "memcpy($a + 2$b$, a, 6)"),
                   ("memcpy-backward", "memcpy($a$b$, a + 2, 6)"), ("stpcpy", "stpcpy($a + 1$b$, a)"), ("strncat", "strncat($a$b$, a + 4, 8)"),
                   ("mempcpy", "mempcpy($a + 2$b$, a, 6)"), ("sprintf", "sprintf(a, \"%s!\", $a$b$)"), ("snprintf", "snprintf(a, 16, \"<%s>\", $a$b$)"),
                   ("memccpy", "memccpy($a + 2$b$, a, 'f', 8)"), ("strxfrm", "strxfrm($a + 1$b$, a, 8)"), ("swab", "swab(a, $a + 1$b$, 4)"),
                   ("sscanf", "sscanf($a$b$, \"%15s\", a)")):
    overlap.add(name, "int main(void) { " + A + f"KEEP((long)({call}));" + " return 0; }")
overlap.pairs = [p for p in overlap.pairs if not p.name.endswith("swab")]  # returns nothing
overlap.add("structure", "struct s { char v[6]; }; int main(void) { " + A + "struct s *p = (struct s *)(a + $2$8$), *q = (struct s *)a; *p = *q; return 0; }")
overlap.add("wcscpy", "#include <wchar.h>\nint main(void) { wchar_t a[16] = L\"abcdef\", b[16]; b[0] = 0; wcscpy($a + 2$b$, a); return 0; }")

for maximum in ("binary_semaphore s(0)", "counting_semaphore<2> s(1)", "binary_semaphore s(1)"):
    many = 1 if maximum.endswith("(1)") else 2
    word = maximum.replace("binary_semaphore s", "binary").replace("counting_semaphore<2> s", "counting").replace("(", "-").rstrip(")")
    right = {"binary-0": "s.release();", "counting-1": "s.release();", "binary-1": "s.acquire(); s.release();"}[word]
    wrong = {"binary-0": "s.release(); s.release();", "counting-1": "s.release(2);", "binary-1": "s.release();"}[word]
    released.add(word, f"#include <semaphore>\nstatic std::{maximum};\nint main() {{ ${wrong}${right}$ return 0; }}", cpp=True)
released.add("binary-two-threads", """
#include <semaphore>
static std::binary_semaphore s(0);
static void *post(void *) { s.release(); return nullptr; }
int main() { pthread_t t[2]; for (int k = 0; k < 2; k++) { pthread_create(&t[k], 0, post, 0); $$pthread_join(t[k], 0); s.acquire();$ } $for (int k = 0; k < 2; k++) pthread_join(t[k], 0);$$ return 0; }""", cpp=True)
released.add("latch", "#include <latch>\nint main() { std::latch l(2); l.count_down($3$2$); return 0; }", cpp=True)
released.add("unlock-twice", "int main(void) { pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m); pthread_mutex_unlock(&m); $pthread_mutex_unlock(&m);$$ return 0; }")
released.add("join-twice", "static void *body(void *p) { return p; } int main(void) { pthread_t t; pthread_create(&t, 0, body, 0); pthread_join(t, 0); $pthread_join(t, 0);$$ return 0; }")
released.add("close-stream-twice", 'int main(void) { FILE *f = tmpfile(); if (!f) return 0; fclose(f); $fclose(f);$$ return 0; }')
released.add("barrier", "#include <barrier>\nint main() { std::barrier<> b(2); (void)b.arrive($3$2$); return 0; }", cpp=True)
released.add("sem-overflow", "#include <semaphore.h>\n#include <assert.h>\nint main(void) { sem_t s; sem_init(&s, 0, 0x7fffffff$$ - 1$); assert(sem_post(&s) == 0); return 0; }")

for name, before, what in (("stack", "int x = 1;", "&x"), ("stack-array", "int x[4] = {1};", "x"), ("interior", "", "p + 1"), ("global", "", "&n"), ("literal", "", '(void *)"abc"'),
                           ("static", "static int x;", "&x"), ("null-plus", "", "(char *)0 + 8"), ("before", "", "p - 1"), ("uncounted", "int *q = p; free(q); p = malloc(4);", "q"),
                           ("alloca", "int *x = __builtin_alloca(8);", "x"), ("argument", "", "environ")):
    if name in ("uncounted", "argument"):
        continue
    freed.add(name, f"int main(void) {{ int *p = malloc(8); {before} void *volatile q = (void *)(${what}$p$); free(q); $free(p);$$ return 0; }}")
freed.add("twice", "int main(void) { int *p = malloc(8); free(p); $free(p);$$ return 0; }")
freed.add("realloc-interior", "int main(void) { char *p = malloc(8); char *q = p$ + 1$$; q = realloc(q, 16); free(q); return 0; }")
freed.add("realloc-freed", "int main(void) { char *p = malloc(8), *q = realloc(p, 64); $free(p);$$ free(q); return 0; }")
freed.add("realloc-stack", "int main(void) { char a[8], *p = malloc(8); char *volatile q = $a$p$; q = realloc(q, 16); free(q); $free(p);$$ return 0; }")
freed.add("mapped", """#include <sys/mman.h>
int main(void) { void *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); $free(p)$munmap(p, 4096)$; return 0; }""")
freed.add("two-threads", """
static void *p; static void *body(void *unused) { (void)unused; $free(p)$KEEP(*(char *)p)$; return 0; }
int main(void) { pthread_t t; p = calloc(1, 8); pthread_create(&t, 0, body, 0); pthread_join(t, 0); free(p); return 0; }""")
freed.add("usable-size", "#include <malloc.h>\nint main(void) { char *p = malloc(20); p[$malloc_usable_size(p) - 1 > 20 ? 20 : 20$19$] = 1; free(p); return 0; }")

groups = [locked, deleted, overlap, released, freed]
