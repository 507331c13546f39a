/* SPDX-License-Identifier: Apache-2.0 */
/* Functions with accesses that compilers like to drop, merge, move or invent. tests/scripts/accesses.sh compares what is announced. */
#include <stdlib.h>

struct named {
    const char *name;
    const void *start;
    unsigned long size;
};
void accesses_of(const char *function, const struct named *named);
void accesses_mark(int value);

struct pair {
    int a, b;
};
static int only_written, private;
int one, two, three;
static unsigned flag;
struct pair left, right;
static char bytes[8];
static double number;

#define EACH(X)                                                                                     \
    X(unused_read, {                                                                                \
        int v = one;                                                                                \
        (void)v;                                                                                    \
    })                                                                                              \
    X(overwritten, {                                                                                \
        one = 1;                                                                                    \
        one = 2;                                                                                    \
    })                                                                                              \
    X(never_read, { only_written = c; })                                                            \
    X(read_twice, {                                                                                 \
        int v = one, w = one;                                                                       \
        accesses_mark(v == w);                                                                      \
    })                                                                                              \
    X(read_back, {                                                                                  \
        one = c;                                                                                    \
        accesses_mark(one == c);                                                                    \
    })                                                                                              \
    X(read_early, {                                                                                 \
        unsigned f = __atomic_load_n(&flag, __ATOMIC_ACQUIRE);                                      \
        int v = one;                                                                                \
        if (f)                                                                                      \
            accesses_mark(v);                                                                       \
    })                                                                                              \
    X(written_early, {                                                                              \
        one = 5;                                                                                    \
        if (c > 1)                                                                                  \
            one = 6;                                                                                \
    })                                                                                              \
    X(read_in_loop, {                                                                               \
        int s = 0;                                                                                  \
        for (int i = 0; i < c; i++)                                                                 \
            s += two;                                                                               \
        accesses_mark(s);                                                                           \
    })                                                                                              \
    X(written_in_loop, {                                                                            \
        for (int i = 0; i < c; i++)                                                                 \
            two++;                                                                                  \
    })                                                                                              \
    X(same_in_loop, {                                                                               \
        for (int i = 0; i < c; i++)                                                                 \
            two = 7;                                                                                \
    })                                                                                              \
    X(perhaps_in_loop, {                                                                            \
        int s = 0;                                                                                  \
        for (int i = 0; i < c; i++)                                                                 \
            if (c > 9)                                                                              \
                s += two;                                                                           \
        accesses_mark(s);                                                                           \
    })                                                                                              \
    X(no_rounds, {                                                                                  \
        for (int i = 9; i < c; i++)                                                                 \
            two += i;                                                                               \
    })                                                                                              \
    X(written_back, {                                                                               \
        int v = one;                                                                                \
        one = v;                                                                                    \
    })                                                                                              \
    X(one_member, {                                                                                 \
        struct pair p = left;                                                                       \
        accesses_mark(p.a);                                                                         \
    })                                                                                              \
    X(no_member, {                                                                                  \
        struct pair p = left;                                                                       \
        (void)p;                                                                                    \
    })                                                                                              \
    X(copied, { right = left; })                                                                    \
    X(copied_and_changed, {                                                                         \
        struct pair p = left;                                                                       \
        p.a = 1;                                                                                    \
        right = p;                                                                                  \
    })                                                                                              \
    X(call_for_nothing, { get(); })                                                                 \
    X(written_by_call, { put(&private); })                                                          \
    X(either, {                                                                                     \
        if (one == 77 || two == 78 || three == 79)                                                  \
            accesses_mark(1);                                                                       \
    })                                                                                              \
    X(first_decides, {                                                                              \
        one = 1;                                                                                    \
        if (one || two)                                                                             \
            return;                                                                                 \
        three = 1;                                                                                  \
    })                                                                                              \
    X(first_leaves, {                                                                               \
        one = 1;                                                                                    \
        if (one)                                                                                    \
            return;                                                                                 \
        if (two)                                                                                    \
            return;                                                                                 \
        three = 1;                                                                                  \
    })                                                                                              \
    X(all_of_bytes, {                                                                               \
        if (bytes[0] == 9 && bytes[1] == 0)                                                         \
            accesses_mark(1);                                                                       \
    })                                                                                              \
    X(put_together, { accesses_mark(bytes[0] | bytes[1] << 8 | bytes[2] << 16 | bytes[3] << 24); }) \
    X(taken_apart, {                                                                                \
        bytes[0] = 1;                                                                               \
        bytes[1] = 2;                                                                               \
        bytes[2] = 3;                                                                               \
        bytes[3] = 4;                                                                               \
    })                                                                                              \
    X(one_of_two, {                                                                                 \
        int v = c ? one : two;                                                                      \
        (void)v;                                                                                    \
    })                                                                                              \
    X(pointed_to, {                                                                                 \
        int *p = c > 9 ? &one : &two;                                                               \
        accesses_mark(*p);                                                                          \
    })                                                                                              \
    X(neighbour, { accesses_mark(c > 9 ? left.a : left.b); })                                       \
    X(not_read, {                                                                                   \
        int v = 0;                                                                                  \
        if (c > 9)                                                                                  \
            v = one;                                                                                \
        accesses_mark(v);                                                                           \
    })                                                                                              \
    X(cases, {                                                                                      \
        switch (c) {                                                                                \
        case 1: one = 1; break;                                                                     \
        case 2: one = 1; break;                                                                     \
        default: one = 1;                                                                           \
        }                                                                                           \
    })                                                                                              \
    X(counted, {                                                                                    \
        one++;                                                                                      \
        one += c;                                                                                   \
        --two;                                                                                      \
    })                                                                                              \
    X(unless_it_is, {                                                                               \
        one = 4;                                                                                    \
        if (one != 5)                                                                               \
            one = 5;                                                                                \
    })                                                                                              \
    X(larger, {                                                                                     \
        if (one < c)                                                                                \
            one = c;                                                                                \
    })                                                                                              \
    X(tested_for_nothing, {                                                                         \
        if (one) {                                                                                  \
        }                                                                                           \
        if (two) {                                                                                  \
        }                                                                                           \
    })                                                                                              \
    X(looped_for_nothing, {                                                                         \
        for (int i = 0; i < c && one != 100; i++) {                                                 \
        }                                                                                           \
    })                                                                                              \
    X(cases_for_nothing, {                                                                          \
        switch (one) {                                                                              \
        case 1:                                                                                     \
        default:;                                                                                   \
        }                                                                                           \
    })                                                                                              \
    X(again, {                                                                                      \
        if (c) {                                                                                    \
            one = c;                                                                                \
            again(c - 1);                                                                           \
        }                                                                                           \
    })                                                                                              \
    X(computed_for_nothing, {                                                                       \
        double d = number;                                                                          \
        d *= 2;                                                                                     \
        (void)d;                                                                                    \
        number = 0;                                                                                 \
        number = 1;                                                                                 \
    })                                                                                              \
    X(times_zero, {                                                                                 \
        int z = 0;                                                                                  \
        accesses_mark(one *z);                                                                      \
    })

static int __attribute__((noinline)) get(void)
{
    return one;
}

static void __attribute__((noinline)) put(int *p)
{
    *p = 4;
}

#define FUNCTION(name, ...)                            \
    static void __attribute__((noinline)) name(int c); \
    static void __attribute__((noinline)) name(int c)  \
    {                                                  \
        (void)c;                                       \
        __VA_ARGS__                                    \
    }
EACH(FUNCTION)

#define OBJECT(name)               \
    {                              \
#name, &name, sizeof(name) \
    }
static const struct named objects[] = {OBJECT(only_written), OBJECT(private), OBJECT(one),    OBJECT(two),
                                       OBJECT(three),        OBJECT(flag),    OBJECT(left),   OBJECT(right),
                                       OBJECT(bytes),        OBJECT(number),  {NULL, NULL, 0}};

int main(int argc, char **argv)
{
    (void)argv;
#define CALL(name, ...) accesses_of(#name, objects), name(argc + 2);
    EACH(CALL)
    accesses_of(NULL, NULL);
    return 0;
}
