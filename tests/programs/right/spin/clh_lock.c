/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct place {
    atomic_int busy;
};

static struct place places[3];
static _Atomic(struct place *) tail = &places[2];
static int counter;

static void *add(void *arg)
{
    struct place *mine = arg;
    for (int i = 0; i < 2; i++) {
        atomic_store_explicit(&mine->busy, 1, memory_order_relaxed);
        struct place *before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
        while (atomic_load_explicit(&before->busy, memory_order_acquire))
            ;
        counter++;
        atomic_store_explicit(&mine->busy, 0, memory_order_release);
        mine = before;
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, &places[0]);
    pthread_create(&b, NULL, add, &places[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 4);
    return 0;
}
