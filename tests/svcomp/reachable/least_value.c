/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <assert.h>
extern void abort(void);
void reach_error(void)
{
    assert(0);
}

extern int __VERIFIER_nondet_int(void);
int value;

void *negate(void *unused)
{
    int n = __VERIFIER_nondet_int();
    value = n < 0 ? (int)(0u - (unsigned)n) : n;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, negate, 0);
    pthread_join(t, 0);
    if (value < 0)
        reach_error();
    return 0;
}
