/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated abort */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int first;

static void *work(void *arg)
{
    (void)arg;
    if (atomic_exchange(&first, 1))
        abort();
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
