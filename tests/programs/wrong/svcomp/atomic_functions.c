/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated abort */
/* mode: dfs */
/* note: functions called __VERIFIER_atomic_NAME are atomic, two of them in a row are not */
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int x;

int __VERIFIER_atomic_get(void)
{
    return x;
}

void __VERIFIER_atomic_set(int value)
{
    x = value;
}

void __VERIFIER_atomic_add(void)
{
    int before = x;
    x = before + 1;
}

void *add(void *unused)
{
#ifdef RIGHT
    __VERIFIER_atomic_add();
#else
    __VERIFIER_atomic_set(__VERIFIER_atomic_get() + 1);
#endif
    return unused;
}

int main(void)
{
    pthread_t a, b;
    _Bool both = __VERIFIER_nondet_bool();
    pthread_create(&a, 0, add, 0);
    if (both)
        pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    if (both)
        pthread_join(b, 0);
    if (__VERIFIER_atomic_get() != 1 + both)
        reach_error();
    return 0;
}
