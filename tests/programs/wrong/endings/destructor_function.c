/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: dfs */
/* note: functions with the attribute run after main, and the second one needs what the first one undoes */
#include <assert.h>
#include <stdlib.h>

static int open_count = 1;

__attribute__((destructor)) static void check(void)
{
    assert(open_count == 1);
}

__attribute__((destructor)) static void undo(void)
{
    open_count--;
}

int main(void)
{
    return 0;
}
