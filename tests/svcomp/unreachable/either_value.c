/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <assert.h>
extern void abort(void);
void reach_error(void)
{
    assert(0);
}

extern _Bool __VERIFIER_nondet_bool(void);
int count;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *change(void *unused)
{
    int by = __VERIFIER_nondet_bool() ? 1 : 3;
    pthread_mutex_lock(&lock);
    count += by;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, change, 0);
    pthread_create(&b, 0, change, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (count % 2)
        reach_error();
    return 0;
}
