/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: CLH: a thread spins on its predecessor's node and takes it over; two turns each */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct node {
    atomic_bool locked;
};

static _Atomic(struct node *) tail;
static int counter;

static void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

static struct node *clh_lock(struct node *mine)
{
    atomic_store_explicit(&mine->locked, true, memory_order_relaxed);
    struct node *before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
    while (atomic_load_explicit(&before->locked, memory_order_acquire))
        relax();
    return before;
}

static void *run(void *arg)
{
    struct node *mine = calloc(1, sizeof *mine);
    for (int i = 0; i < 2; i++) {
        struct node *before = clh_lock(mine);
        counter++;
        atomic_store_explicit(&mine->locked, false, memory_order_release);
        mine = before;
    }
    free(mine);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    atomic_init(&tail, calloc(1, sizeof(struct node)));
    pthread_create(&one, NULL, run, NULL);
    pthread_create(&two, NULL, run, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(counter == 4);
    free(atomic_load(&tail));
    return 0;
}
