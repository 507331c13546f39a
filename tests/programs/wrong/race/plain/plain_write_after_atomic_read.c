/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* One of six threads reads atomically; the write that follows its neighbours' ends, not its own, is plain. */
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 6 };
static struct {
    int data, reads;
} __attribute__((aligned(8))) shared;
static atomic_int ended;

static void *reader(void *number)
{
    if (number == (void *)5)
        __atomic_load_n(&shared.data, __ATOMIC_ACQUIRE);
    else
        atomic_fetch_add_explicit(&ended, 1, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, reader, (void *)i);
    for (int i = 0; i < 5; i++)
        pthread_join(t[i], NULL);
    shared.data = 1;
    pthread_join(t[5], NULL);
}
