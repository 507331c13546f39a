/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated abort */
/* mode: dfs */
/* note: under sc a reader that is in no section sees all of one or nothing; between two of its reads there is room */
#include <pthread.h>
#include <stdatomic.h>

extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

atomic_int x, y;

void *write_both(void *unused)
{
    __VERIFIER_atomic_begin();
    x = 1;
    y = 1;
    x = 2;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, write_both, 0);
    int s = x, r = y;
    if (s == 1)
        reach_error();
    if (s == 2 && r == 0)
        reach_error();
#ifndef RIGHT
    if (s == 0 && r == 1)
        reach_error();
#endif
    pthread_join(a, 0);
    return 0;
}
