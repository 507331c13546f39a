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
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *store(void *unused)
{
    pthread_mutex_lock(&lock);
    value = __VERIFIER_nondet_int();
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, store, 0);
    pthread_create(&b, 0, store, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (value != value)
        reach_error();
    return 0;
}
