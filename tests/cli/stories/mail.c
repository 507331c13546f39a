/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

struct letter {
    int from, size;
};

static struct letter letter;
static atomic_int arrived;

static void *sender(void *arg)
{
    letter.from = 7;
    letter.size = 120;
    atomic_store_explicit(&arrived, 1, memory_order_release);
    return arg;
}

static void *reader(void *arg)
{
    if (atomic_load_explicit(&arrived, memory_order_relaxed))
        printf("%d bytes from %d\n", letter.size, letter.from);
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, sender, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
