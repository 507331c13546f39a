/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: blocks are entered again, by loops, goto and switch; what has no block lives as long as its function */
#include <alloca.h>
#include <assert.h>
#include <string.h>

static int *volatile last;

static void give(int *number)
{
    last = number;
    *number += 1;
}

static void loops(void)
{
    for (int i = 0; i < 3; i++) {
        int own = i;
        give(&own);
        if (i == 1)
            continue;
        *last += own;
        assert(own == 2 * (i + 1));
    }
}

static void jumps(int count)
{
again : {
    int own = count;
    give(&own);
    *last -= 2;
    if (own > 0) {
        count = own;
        goto again;
    }
}
    goto inside;
    {
        int bypassed;
    inside:
        bypassed = 3;
        give(&bypassed);
        assert(*last == 4);
    }
}

static void cases(int which)
{
    switch (which) {
        int common;
    case 0:
        common = 1;
        give(&common);
        assert(*last == 2);
        break;
    default: {
        int own = 2;
        give(&own);
        assert(*last == 3);
    }
    }
}

static void sizes(int count)
{
    int *kept = NULL;
    for (int i = 1; i <= count; i++) {
        int row[i];
        memset(row, 0, sizeof row);
        give(&row[i - 1]);
        assert(*last == 1);
    }
    for (int i = 0; i < 2; i++) {
        kept = alloca(sizeof *kept); /* lives as long as the function */
        *kept = 5;
    }
    give(kept);
    assert(*last == 6);
    int *literal = (int[]){1, 2, 3};
    give(&literal[1]);
    assert(({
               int own = 4;
               give(&own);
               own;
           }) == 5);
    assert(*literal == 1 && literal[1] == 3);
}

int main(void)
{
    loops();
    jumps(3);
    cases(0);
    cases(1);
    sizes(3);
    return 0;
}
