/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: race */
/* wrong-sc: holds */
/* wrong-tso: holds */
/* note: plain words are copied once a relaxed flag, between fences, says that they are complete */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

struct config {
    int width, height, depth;
};

static struct config shared_config;
static atomic_uint version;

static void *publish(void *arg)
{
    const struct config c = {4, 5, 6};
    memcpy(&shared_config, &c, sizeof c);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&version, 2, memory_order_relaxed);
    return arg;
}

static void *use(void *arg)
{
    struct config copy;
    while (atomic_load_explicit(&version, memory_order_relaxed) < 2)
        ;
#ifndef WRONG
    atomic_thread_fence(memory_order_acquire);
#endif
    for (size_t i = 0; i < sizeof copy / sizeof(int); i++)
        ((int *)&copy)[i] = ((const int *)&shared_config)[i];
    assert(copy.width == 4 && copy.height == 5 && copy.depth == 6);
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, use, NULL);
    pthread_create(&threads[1], NULL, use, NULL);
    publish(NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
