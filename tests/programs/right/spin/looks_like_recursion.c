/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: no spin: the same return address, a deeper stack */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int never;

__attribute__((noinline)) static int descend(int left)
{
    if (atomic_load(&never) || left == 0)
        return 0;
    return 1 + descend(left - 1);
}

static void *work(void *arg)
{
    (void)arg;
    assert(descend(6) == 6);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
