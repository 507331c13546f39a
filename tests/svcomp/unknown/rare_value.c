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

void *store(void *unused)
{
    value = __VERIFIER_nondet_int();
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, store, 0);
    pthread_join(t, 0);
    if (value == 123456)
        reach_error();
    return 0;
}
