/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
#include <assert.h>
#include <threads.h>

static int shared;
static thrd_t creator;

static int work(void *arg)
{
    shared = *(int *)arg;
    assert(!thrd_equal(thrd_current(), creator));
    if (shared > 100)
        thrd_exit(1);
    return shared + 1;
}

int main(void)
{
    thrd_t t;
    int value = 41, result;
    creator = thrd_current();
    assert(thrd_create(&t, work, &value) == thrd_success);
    assert(thrd_join(t, &result) == thrd_success);
    assert(result == 42 && shared == 41);
    value = 1000;
    thrd_create(&t, work, &value);
    thrd_join(t, &result);
    assert(result == 1);
    return 0;
}
