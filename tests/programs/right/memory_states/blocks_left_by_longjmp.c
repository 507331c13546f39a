/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: blocks and functions are left by longjmp; others lie in their place later */
#include <assert.h>
#include <setjmp.h>
#include <stdio.h>

static jmp_buf place;
static int *last;

static void give(int *number)
{
    last = number;
    *number += 1;
}

static void leave(int depth)
{
    {
        int own[32] = {depth};
        give(own);
    }
    {
        int other = depth;
        give(&other);
        if (depth == 0)
            longjmp(place, 1);
    }
    int row[8] = {depth};
    give(row);
    leave(depth - 1);
}

static int count(int depth)
{
    int row[64] = {0}, own = depth;
    for (int i = 0; i < 64; i++)
        give(&row[i]);
    give(&own);
    return depth ? count(depth - 1) + row[63] : own;
}

int main(void)
{
    for (volatile int round = 0; round < 2; round++) {
        if (!setjmp(place)) {
            int own = 3;
            give(&own);
            leave(own);
        }
        char text[200];
        int length = snprintf(text, sizeof text, "%d %s", round, "times");
        assert(length == 7);
        assert(count(3) == 4);
    }
    return 0;
}
