/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions with memory operands, each with many random operands. Prints a hash of all registers, flags and memory that
 * they left; with EXPECTED in the environment it is compared instead. What a location holds is asked by a load in assembly:
 * under plumb it answers what the execution graph says. */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 12, STATUS = 0x8d5 }; /* carry, parity, adjust, zero, sign, overflow */

static uint64_t state = 88172645463325252u, hash = 1;
static uint64_t instances;

static uint64_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % 5 == 0 ? state % 3 : state % 7 == 0 ? UINT64_MAX - state % 2 : state;
}

static void mix(uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
}

/* Memory of one size each: overlapping accesses of different sizes are another matter. */
static uint8_t bytes[16];
static uint16_t halves[16];
static uint32_t words[16];
static uint64_t longs[16];
static unsigned __int128 wides[4];

struct registers {
    uint64_t rax, rbx, rcx, rdx, rsi, flags;
};

#define RUN(code, base, at, r)                                                     \
    __asm__ volatile("pushq %[f]\n\tpopfq\n\t" code "\n\tpushfq\n\tpopq %[f]"      \
                     : "+a"((r).rax), "+b"((r).rbx), "+c"((r).rcx), "+d"((r).rdx), \
                       "+S"((r).rsi), [f] "+D"((r).flags)                          \
                     : [p] "r"(base), [i] "r"(at)                                  \
                     : "memory", "cc")

static struct registers random_registers(void)
{
    return (struct registers){next_random(), next_random(), next_random(),
                              next_random(), next_random(), (next_random() & STATUS) | 2};
}

static void mix_registers(const struct registers *r)
{
    mix(r->rax), mix(r->rbx), mix(r->rcx), mix(r->rdx), mix(r->rsi), mix(r->flags & STATUS);
    instances++;
}

#define EACH_PLACE(code, array, look)                                          \
    for (int k = 0; k < ROUNDS; k++) {                                         \
        struct registers r = random_registers(), found = {.flags = 2};         \
        uint64_t at = (uint64_t)k % 4;                                         \
        struct registers set = {.rax = next_random(), .flags = 2};             \
        RUN("xchg " look ", (%[p], %[i], 1)", array, at * sizeof *array, set); \
        if (k % 2 && sizeof *array <= 8)                                       \
            r.rax = set_value(array, at);                                      \
        RUN(code, array, at * sizeof *array, r);                               \
        mix_registers(&r);                                                     \
        RUN("mov (%[p], %[i], 1), " look, array, at * sizeof *array, found);   \
        mix(found.rax);                                                        \
    }

/* What a comparison is to find, every second time. */
static uint64_t set_value(const void *array, uint64_t at)
{
    uint64_t found = 0;
    if (array == bytes)
        __asm__ volatile("movb %1, %b0" : "+q"(found) : "m"(bytes[at]));
    else if (array == halves)
        __asm__ volatile("movw %1, %w0" : "+r"(found) : "m"(halves[at]));
    else if (array == words)
        __asm__ volatile("movl %1, %k0" : "+r"(found) : "m"(words[at]));
    else
        __asm__ volatile("movq %1, %0" : "+r"(found) : "m"(longs[at]));
    return found;
}

#define M "(%[p], %[i], 1)"
#define FOUR(op, tail)                                \
    EACH_PLACE(op "b %%bl, " M tail, bytes, "%%al")   \
    EACH_PLACE(op "w %%bx, " M tail, halves, "%%ax")  \
    EACH_PLACE(op "l %%ebx, " M tail, words, "%%eax") \
    EACH_PLACE(op "q %%rbx, " M tail, longs, "%%rax")
#define FOUR_CONSTANT(op)                               \
    EACH_PLACE(op "b $-3, " M, bytes, "%%al")           \
    EACH_PLACE(op "w $0x1234, " M, halves, "%%ax")      \
    EACH_PLACE(op "l $-0x12345678, " M, words, "%%eax") \
    EACH_PLACE(op "q $-7, " M, longs, "%%rax")
#define FOUR_ALONE(op)                    \
    EACH_PLACE(op "b " M, bytes, "%%al")  \
    EACH_PLACE(op "w " M, halves, "%%ax") \
    EACH_PLACE(op "l " M, words, "%%eax") \
    EACH_PLACE(op "q " M, longs, "%%rax")
#define FOUR_LOADS(op)                              \
    EACH_PLACE(op "b " M ", %%bl", bytes, "%%al")   \
    EACH_PLACE(op "w " M ", %%bx", halves, "%%ax")  \
    EACH_PLACE(op "l " M ", %%ebx", words, "%%eax") \
    EACH_PLACE(op "q " M ", %%rbx", longs, "%%rax")
#define BITS(op)                                                                        \
    EACH_PLACE(op "w $11, " M, halves, "%%ax")                                          \
    EACH_PLACE(op "l $37, " M, words, "%%eax")                                          \
    EACH_PLACE(op "q $60, " M, longs, "%%rax")                                          \
    EACH_PLACE("movzwl %%bx, %%ebx; andl $63, %%ebx; " op "w %%bx, " M, halves, "%%ax") \
    EACH_PLACE("andl $127, %%ebx; " op "l %%ebx, " M, words, "%%eax")                   \
    EACH_PLACE("andl $255, %%ebx; " op "q %%rbx, 32(%[p])", longs, "%%rax")             \
    EACH_PLACE("movq $-65, %%rbx; " op "q %%rbx, 32(%[p])", longs, "%%rax")
#define SETS(c) EACH_PLACE("set" c " " M, bytes, "%%al")

static void updates(void)
{
    FOUR("lock add", "");
    FOUR("lock sub", "");
    FOUR("lock and", "");
    FOUR("lock or", "");
    FOUR("lock xor", "");
    FOUR("lock adc", "");
    FOUR("lock sbb", "");
    FOUR("lock xadd", "");
    FOUR("lock cmpxchg", "");
    FOUR("xchg", "");
    FOUR_CONSTANT("lock add");
    FOUR_CONSTANT("lock sbb");
    FOUR_CONSTANT("lock and");
    FOUR_CONSTANT("lock or");
    FOUR_ALONE("lock inc");
    FOUR_ALONE("lock dec");
    FOUR_ALONE("lock neg");
    FOUR_ALONE("lock not");
    EACH_PLACE("leaq " M ", %%rsi; lock addb %%ah, (%%rsi); movl $0, %%esi", bytes, "%%al");
    EACH_PLACE("leaq " M ", %%rsi; lock xaddb %%bh, (%%rsi); movl $0, %%esi", bytes, "%%al");
}

static void unlocked(void)
{
    FOUR("add", "");
    FOUR("sub", "");
    FOUR("and", "");
    FOUR("or", "");
    FOUR("xor", "");
    FOUR("adc", "");
    FOUR("sbb", "");
    FOUR("xadd", "");
    FOUR("cmpxchg", "");
    FOUR("mov", "");
    FOUR("cmp", "");
    FOUR("test", "");
    FOUR_CONSTANT("add");
    FOUR_CONSTANT("adc");
    FOUR_CONSTANT("mov");
    FOUR_CONSTANT("cmp");
    FOUR_ALONE("inc");
    FOUR_ALONE("dec");
    FOUR_ALONE("neg");
    FOUR_ALONE("not");
    FOUR_ALONE("mul");
    FOUR_LOADS("mov");
    FOUR_LOADS("add");
    FOUR_LOADS("sbb");
    FOUR_LOADS("cmp");
    EACH_PLACE("movzbl " M ", %%ebx", bytes, "%%al");
    EACH_PLACE("movsbq " M ", %%rbx", bytes, "%%al");
    EACH_PLACE("movzwl " M ", %%ebx", halves, "%%ax");
    EACH_PLACE("movslq " M ", %%rbx", words, "%%eax");
    EACH_PLACE("imull " M ", %%ebx", words, "%%eax");
    EACH_PLACE("cmovbq " M ", %%rbx", longs, "%%rax");
}

static void bits(void)
{
    BITS("lock bts");
    BITS("lock btr");
    BITS("lock btc");
    BITS("bts");
    BITS("btr");
    BITS("btc");
    BITS("bt");
}

static void conditions(void)
{
    SETS("o");
    SETS("no");
    SETS("b");
    SETS("ae");
    SETS("e");
    SETS("ne");
    SETS("be");
    SETS("a");
    SETS("s");
    SETS("ns");
    SETS("p");
    SETS("np");
    SETS("l");
    SETS("ge");
    SETS("le");
    SETS("g");
}

static void pairs(void)
{
    for (int k = 0; k < ROUNDS; k++) {
        struct registers r = random_registers();
        RUN("lock cmpxchg8b 64(%[p])", longs, 0, r);
        mix_registers(&r);
        RUN("lock cmpxchg8b 64(%[p])", longs, 0, r); /* now it finds what it expects */
        mix_registers(&r);
        RUN("lock cmpxchg16b (%[p])", wides, 0, r);
        mix_registers(&r);
        RUN("lock cmpxchg16b (%[p])", wides, 0, r);
        mix_registers(&r);
    }
}

/* Addresses of all shapes, jumps, loops, and registers that the address and the value have in common. */
static void shapes(void)
{
    for (int k = 0; k < ROUNDS; k++) {
        struct registers r = random_registers();
        uint64_t n = (uint64_t)k % 4;
        RUN("lock addl %%eax, 8(%[p], %[i], 4)", words, n, r);
        RUN("lock xaddl %%eax, words+12(%%rip)", words, n, r);
        RUN("lock addl $5, words+8(%%rip)", words, n, r);
        RUN("addl (%[p], %[i], 4), %%ebx; jc 1f; xorl $1, (%[p]); 1: nop", words, n, r);
        RUN("movl $3, %%ecx; 1: lock incl (%[p], %%rcx, 4); loop 1b; jrcxz 2f; movl $9, (%[p]); 2:", words, n,
            r);
        RUN("leaq words(%%rip), %%rdx; lock xaddq %%rdx, 72(%[p]); subq %[p], %%rdx; xorl %%edx, %%edx",
            longs, n, r);
        RUN("movq $0, 72(%[p])", longs, n, r);
        mix_registers(&r);
    }
}

int main(void)
{
    updates();
    unlocked();
    bits();
    conditions();
    pairs();
    shapes();
    const char *expected = getenv("EXPECTED");
    if (expected)
        assert(hash == strtoull(expected, NULL, 16));
    else
        printf("%llx %llu\n", (unsigned long long)hash, (unsigned long long)instances);
    return 0;
}
