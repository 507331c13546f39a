/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated abort */
/* mode: dfs */
/* note: an atomic section that assumes is a lock; the last test is wrong on purpose */
#include <pthread.h>

extern void abort(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
void reach_error(void)
{
    abort();
}

int taken, count;

void acquire(void)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(taken == 0);
    taken = 1;
    __VERIFIER_atomic_end();
}

void release(void)
{
    __VERIFIER_atomic_begin();
    taken = 0;
    __VERIFIER_atomic_end();
}

void *add(void *unused)
{
    acquire();
    int before = count;
    count = before + 1;
    if (count != before + 1)
        reach_error();
    release();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
#ifndef RIGHT
    if (count == 2)
        reach_error();
#endif
    return count == 2 ? 0 : 1;
}
