/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: the first execution is begun again when the first thread uses its own storage: its steps are not counted differently then */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int boxes[2];
static _Thread_local unsigned turns;

static void *fill(void *arg)
{
    atomic_store(&boxes[1], 1);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, fill, NULL);
    for (int i = 0; i < 300; i++)
        if (atomic_load_explicit(&boxes[++turns % 2], memory_order_relaxed))
            break;
    pthread_join(thread, NULL);
    return 0;
}
