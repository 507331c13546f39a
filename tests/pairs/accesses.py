# SPDX-License-Identifier: Apache-2.0
"""Races of accesses that a compiler folds away, widens or splits."""
from pairs import Group

folded, wide, vector = Group("folded"), Group("wide"), Group("vector")

folded.race("race", "x = 5", "KEEP(E)", head="int x = 3;", E={
    "range": "x >= 4 && x <= 2", "times-zero": "x * 0", "and-zero": "x & 0", "modulo-one": "x % 1", "minus-itself": "x - x", "xor-itself": "x ^ x",
    "equals-itself": "x == x", "doubled": "x + x", "or-ones": "x | -1", "comma": "(x, 0)", "either": "x == 1 || x != 1", "same-branches": "x ? 1 : 1",
    "beyond-its-type": "(unsigned char)x > 300", "below-zero": "(unsigned)x < 0u", "contradiction": "!x && x", "sum-of-nothing": "0 / (x | 1)"})
folded.race("discarded", "x = 5", "(void)x", head="int x = 3;")
folded.race("discarded-pointer", "x = 5", "{ int *p = &x; *p; }", head="int x = 3;")
folded.race("written-back", "x = x", "KEEP(x)", head="int x = 3;")
folded.race("overwritten", "{ x = 5; x = 6; }", "{ x = 7; x = 8; }", head="int x = 3;")
folded.race("dead-store", "x = 3", "x = 3", head="static int x = 3;")
folded.race("unused-copy", "{ struct s k = s; (void)k; }", "s.b = 1", head="struct s { int a, b; } s;")
folded.race("hoisted", "for (int k = 0; k < zero; k++) x = k; x = 1", "for (int k = 0; k < n; k++) KEEP(x)", head="int x;")
folded.race("member-of-two", "p->a = 1", "KEEP(p->a >= 4 && p->a <= 2)", head="struct s { int a, b; } s, *const p = &s;")

BITS = "struct bits { unsigned a : 3, b : 5; SPLIT unsigned c : 4; } s;"
wide.race("bit-fields", "s.a = 1", "s.b = 2", head="struct bits { unsigned a : 3, b : 5; } s;")
wide.race("bit-field-read", "s.a = 1", "KEEP(s.b)", head="struct bits { unsigned a : 3, b : 5; } s;")
wide.race("bit-field-itself", "s.a = 1", "KEEP(s.a)", head="struct bits { unsigned long a : 40, b : 24; } s;")
wide.add("bit-field-split", """
struct bits { unsigned a : 4; $$unsigned : 0;$ unsigned b : 4; } s;
static void *second(void *unused) { (void)unused; s.b = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, second, 0); s.a = 1; pthread_join(t, 0); return 0; }""")
wide.add("bit-field-bytes", """
struct bits { unsigned a : 8, b : 8; unsigned char $c : 4, d : 4$c, d$; } s;
static void *second(void *unused) { (void)unused; s.c = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, second, 0); s.d = 1; s.a = 3; pthread_join(t, 0); return 0; }""")
STRUCT = "struct s { T v[COUNT]; } s, other; NOINLINE static void take(struct s x) { KEEP(x.v[0]); } NOINLINE static struct s give(void) { struct s x; memset(&x, 1, sizeof x); return x; }"
for way, does in {"by-value": "take(s)", "assigned": "other = s", "filled": "s = other", "returned": "s = give()", "initialised": "{ struct s k = s; KEEP(k.v[COUNT - 1]); }"}.items():
    for count in (3, 5, 7, 12, 24, 40):
        if (len(way) + count) % 3 == 0:
            wide.race(f"structure-of-{count}-{way}", does, "{ KEEP(s.v[COUNT - 1]); s.v[COUNT - 1] = 1; }",
                      head=STRUCT.replace("COUNT", str(count)).replace("T v", "char v"), start="KEEP((long)take); KEEP((long)give);")
            wide.pairs[-1].text = wide.pairs[-1].text.replace("COUNT", str(count))
wide.race("value", "x += 1", "KEEP(x != 0)", head="TYPE x;", TYPE=["__int128", "long double", "_Complex double", "_Complex float", "float"])
wide.race("double-multiplied", "x *= y", "KEEP(y = 1)", head="_Complex double x = 1, y = 2;")
wide.race("array-initialised", "memcpy(a, (int[5]){1, 2, 3}, sizeof a)", "KEEP(a[4])", head="int a[5];")
wide.race("memset-of-seven", "__builtin_memset(a, 1, 7)", "KEEP(a[6])", head="char a[8];")
wide.race("union-member", "u.l = 1", "u.c[7] = 1", head="union { long l; char c[8]; } u;")
wide.race("packed", "p.l = 1", "KEEP(p.l)", head="struct __attribute__((packed)) { char c; long l; } p;")
wide.race("packed-tail", "p.l = 1", "p.last = 1", head="struct __attribute__((packed)) { char c; union { long l; struct { char x[7], last; }; }; } p;")
wide.race("va_arg", "take(1, big)", "big.v[5] = 1", head="""#include <stdarg.h>
struct s { long v[6]; } big;
NOINLINE static void take(int count, ...) { va_list l; va_start(l, count); struct s k = va_arg(l, struct s); va_end(l); KEEP(k.v[5]); }""")
wide.race("atomic-of-16", "__atomic_store_n(&x, 1, __ATOMIC_SEQ_CST)", "KEEP(x)", head="__int128 x __attribute__((aligned(16)));", flags=["-mcx16"])
wide.race("atomic-part", "__atomic_store_n(&u.l, 1, __ATOMIC_SEQ_CST)", "u.c[4] = 1", head="union { long l; char c[8]; } u;")
wide.race("atomic-structure", "{ struct s v = {1, 2, 3}; __atomic_store(&s, &v, __ATOMIC_SEQ_CST); }", "s.c = 1", head="struct s { int a, b, c; } s;")
wide.race("compare-expected", "{ int v = 0; __atomic_compare_exchange_n(&x, &e, 1, 0, 5, 5); KEEP(v); }", "e = 2", head="int x, e;")
wide.race("cleared", "__atomic_clear(&f, __ATOMIC_RELEASE)", "KEEP(f)", head="_Bool f;")
wide.race("assembly", '__asm__ volatile("movl $1, %0" : "=m"(x))'.replace("$1", "%1").replace(': "=m"(x)', ': "=m"(x) : "r"(one)'), "KEEP(x)", head="int x;")
wide.race("assembly-read", '{ int y; __asm__ volatile("movl %1, %0" : "=r"(y) : "m"(x)); KEEP(y); }', "x = 1", head="int x;")
wide.race("swap", "std::swap(a, b)", "KEEP(a.v[2])", head="#include <utility>\nstruct s { char v[3]; } a, b;", cpp=True)
wide.race("reference-member", "h.r = 1", "KEEP(x)", head="int x; struct holder { int &r; } h{x};", cpp=True)
wide.race("member-pointer", "(s.*which) = 1", "KEEP(s.b)", head="struct s { int a, b; } s; int s::*which = &s::b;", cpp=True)
wide.race("thrown", "try { throw s; } catch (const struct s &k) { KEEP(k.v[2]); }", "s.v[2] = 1", head="struct s { char v[3]; } s;", cpp=True)
wide.race("default-copy", "{ s k = a; KEEP(k.c[4]); }", "a.c[4] = 1", head="struct s { int a; char c[5]; } a;", cpp=True)
wide.race("virtual-table", "new (&o) derived", "KEEP(p->get())", head="""#include <new>
struct base { virtual int get() { return 1; } virtual ~base() {} }; struct derived : base { int get() override { return 2; } };
derived o; base *p = &o;""", cpp=True)
wide.race("dynamic-cast", "new (&o) derived", "KEEP((long)dynamic_cast<derived *>(p))", head="""#include <new>
struct base { virtual int get() { return 1; } virtual ~base() {} }; struct derived : base { int get() override { return 2; } };
derived o; base *p = &o;""", cpp=True)

X86 = "#include <immintrin.h>\nint a[16] __attribute__((aligned(64))); "
for name, first, second, flags in (
        ("load", "KEEP(_mm_cvtsi128_si32(_mm_load_si128((__m128i *)a)))", "a[3] = 1", []),
        ("store", "_mm_store_si128((__m128i *)a, _mm_set1_epi32(n))", "KEEP(a[3])", []),
        ("unaligned", "_mm_storeu_si128((__m128i *)(a + 1), _mm_set1_epi32(n))", "KEEP(a[4])", []),
        ("stream", "_mm_stream_si128((__m128i *)a, _mm_set1_epi32(n))", "KEEP(a[3])", []),
        ("stream-word", "_mm_stream_si32(a, n)", "KEEP(a[0])", []),
        ("masked-move", "_mm_maskmoveu_si128(_mm_set1_epi8(1), _mm_set1_epi8(-1), (char *)a)", "KEEP(a[3])", []),
        ("lddqu", "KEEP(_mm_cvtsi128_si32(_mm_lddqu_si128((__m128i *)a)))", "a[3] = 1", ["-msse3"]),
        ("wide-load", "KEEP(_mm256_extract_epi32(_mm256_load_si256((__m256i *)a), 7))", "a[7] = 1", ["-mavx2"]),
        ("wide-store", "_mm256_store_si256((__m256i *)a, _mm256_set1_epi32(n))", "KEEP(a[7])", ["-mavx2"]),
        ("masked-load", "KEEP(_mm256_extract_epi32(_mm256_maskload_epi32(a, _mm256_set1_epi32(-1)), 7))", "a[7] = 1", ["-mavx2"]),
        ("masked-store", "_mm256_maskstore_epi32(a, _mm256_set1_epi32(-1), _mm256_set1_epi32(n))", "KEEP(a[7])", ["-mavx2"]),
        ("gather", "KEEP(_mm256_extract_epi32(_mm256_i32gather_epi32(a, _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0), 4), 7))", "a[7] = 1", ["-mavx2"]),
        ("broadcast", "KEEP(_mm_cvtss_f32(_mm_broadcast_ss((float *)a)))", "a[0] = 1", ["-mavx2"]),
        ("insert", "KEEP(_mm_extract_epi32(_mm_insert_epi32(_mm_setzero_si128(), a[2], 1), 1))", "a[2] = 1", ["-msse4.1"])):
    vector.race(name, first, second, head=X86, flags=flags)
vector.race("extension", "v += 1", "KEEP(v[3])", head="typedef int four __attribute__((vector_size(16))); four v;")
vector.race("extension-of-32", "v += 1", "KEEP(v[7])", head="typedef int eight __attribute__((vector_size(32))); eight v;")
vector.race("extension-of-three", "v = v + v", "KEEP(((char *)&v)[7])", head="typedef char odd __attribute__((vector_size(8))); odd v;")

groups = [folded, wide, vector]
