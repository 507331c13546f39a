/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: parameters and results of all kinds of types */
#include <stdatomic.h>
#include <string.h>

struct pair {
    int small : 3;
    unsigned rest : 5;
    int array[3];
};
union number {
    int i;
    float f;
};
enum colour { RED, GREEN };
typedef int (*function)(int);
typedef int three[3];
typedef const int constant;

/** @Structure_Define:
    @DeclareVar: struct pair last; int array[3]; long double wide; __int128 wider; _Complex double z; function f; enum colour c; union number n; int last_q;
    @InitVar: wide = 1.5L; wider = 3; z = 1; c = RED; */
static atomic_int cell;

/** @Interface: Put
    @Ordering_Point_Set: Stored
    @SideEffect: last = s; wide += l; wider *= w; z += y; f = g; c = colour; n = u; array[1] = a[1]; last_q = q[1][1];
    @PostCondition: last.small == 1 && wide == 4 && wider == 6 && z == 2 && g(3) == 4 && h(1) == 2 && c == GREEN && n.i == 5 && array[1] == 8
        && last_q == 9 && *v == 2 && *letter == 'x' && t[2] == 7 && r == 3 && k == 4 && !strcmp(text, "abc") && __RET__.small == 1 && other->small == 1 */
static struct pair put(struct pair s, long double l, __int128 w, _Complex double y, function g, int h(int),
                       enum colour colour, union number u, int a[static 2], int q[2][2],
                       const char *restrict text, volatile int *v, char *const letter, three t,
                       register int r, constant k, const struct pair *const other)
{
    atomic_store(&cell, s.small);
    /** @Ordering_Point_Label_Check: true
        @Label: Stored */
    switch (s.small) {
    case 1:
        /** @Ordering_Point_Clear: true */
        atomic_load(&cell);
        /* fall through */
    case 2:
        /** @Ordering_Point_Label_Check: true
            @Label: Stored */
    default: break;
    }
    if (s.small == 2)
        goto out;
    return s;
out:
    return *other;
}

/** @Interface: Sum
    @Ordering_Point_Set: Summed
    @PostCondition: __RET__ == 10 && m[1][1] == 4 && width == 2 */
static constant sum(int height, int width, const int m[height][width])
{
#ifndef __clang__
    int twice(int x)
    {
        return 2 * x;
    }
#else
#define twice(x) (2 * (x))
#endif
    int copy[height][width];
    memcpy(copy, m, sizeof copy);
    atomic_load(&cell);
    /** @Ordering_Point_Label_Check: copy[0][0] == 1
        @Label: Summed */
    return twice(copy[0][0] + copy[1][1]);
}

static int increment(int x)
{
    return x + 1;
}

int main(void)
{
    struct pair s = {.small = 1};
    int a[2] = {7, 8}, q[2][2] = {{1, 2}, {3, 9}}, m[2][2] = {{1, 2}, {3, 4}};
    volatile int v = 2;
    char letter = 'x', text[] = "abc";
    three t = {5, 6, 7};
    put(s, 2.5L, 2, 1, increment, increment, GREEN, (union number){5}, a, q, text, &v, &letter, t, 3, 4, &s);
    t[2] = letter = text[0] = 0;
    sum(2, 2, m);
    m[1][1] = 0;
}
