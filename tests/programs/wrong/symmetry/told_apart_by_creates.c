/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* sc: holds */
/* tso: holds */
/* mode: all */
/* flags-plumb: --symmetry */
/* Only the second of two threads that do the same was created after the write. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int tickets;
static int data;

static void *take(void *unused)
{
    if (atomic_fetch_add_explicit(&tickets, 1, memory_order_relaxed) == 1 && data != 1)
        return NULL;
    return unused;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, take, NULL);
    data = 1;
    pthread_create(&t[1], NULL, take, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
}
