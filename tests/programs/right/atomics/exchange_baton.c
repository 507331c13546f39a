/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: whoever takes the baton by exchange owns the plain data */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int baton = 1;
static int owner_data;

static void *grab(void *arg)
{
    (void)arg;
    if (atomic_exchange_explicit(&baton, 0, memory_order_acq_rel))
        owner_data++;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, grab, NULL);
    pthread_create(&b, NULL, grab, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(owner_data == 1);
    return 0;
}
