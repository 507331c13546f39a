/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: Anderson's lock: every waiter spins on its own slot */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SLOTS = 2 };

static atomic_int may_go[SLOTS] = {1, 0};
static atomic_uint next_slot;
static int counter;

static void *add(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2; i++) {
        unsigned mine = atomic_fetch_add(&next_slot, 1) % SLOTS;
        while (!atomic_load_explicit(&may_go[mine], memory_order_acquire))
            ;
        atomic_store_explicit(&may_go[mine], 0, memory_order_relaxed);
        counter++;
        atomic_store_explicit(&may_go[(mine + 1) % SLOTS], 1, memory_order_release);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 4);
    return 0;
}
