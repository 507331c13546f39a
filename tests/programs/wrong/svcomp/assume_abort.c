/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated abort */
/* mode: dfs */
/* note: the abort of assume_abort_if_not is an assumption, the other one an error */
#include <pthread.h>
#include <stdatomic.h>

extern void abort(void);
void assume_abort_if_not(int holds)
{
    if (!holds)
        abort();
}

atomic_int ready;
atomic_int value;

void *read(void *unused)
{
    assume_abort_if_not(ready);
#ifdef RIGHT
    if (value != 1)
#else
    if (value != 2)
#endif
        abort();
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, read, 0);
    value = 1;
    ready = 1;
    return 0;
}
