/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int waiting = 2, sense;
static int cells[2];

static void meet(int *mine)
{
    *mine = !*mine;
    if (atomic_fetch_sub_explicit(&waiting, 1, memory_order_acq_rel) == 1) {
        atomic_store_explicit(&waiting, 2, memory_order_relaxed);
        atomic_store_explicit(&sense, *mine, memory_order_release);
    } else {
        while (atomic_load_explicit(&sense, memory_order_acquire) != *mine)
            ;
    }
}

static void *work(void *arg)
{
    int me = (int)(intptr_t)arg, mine = 0;
    for (int round = 1; round <= 2; round++) {
        cells[me] = round;
        meet(&mine);
        assert(cells[!me] == round);
        meet(&mine);
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, (void *)1);
    work((void *)0);
    pthread_join(t, NULL);
    return 0;
}
