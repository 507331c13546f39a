/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated crash */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state;

static void *work(void *arg)
{
    (void)arg;
    if (atomic_fetch_add(&state, 1) == 1)
        __builtin_trap();
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    return 0;
}
