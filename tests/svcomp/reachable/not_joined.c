/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
extern void abort(void);
void reach_error(void)
{
    assert(0);
}

atomic_int done;

void *work(void *unused)
{
    atomic_store(&done, 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    if (!atomic_load(&done))
        reach_error();
    pthread_join(t, 0);
    return 0;
}
