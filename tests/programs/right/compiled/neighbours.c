/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: the second member is read only after the first said so */
#include <pthread.h>
#include <stdatomic.h>

static struct {
    int mine, yours;
} data;
static atomic_int ready;
static int got;

static void *first(void *arg)
{
    data.yours = 1;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return arg;
}

static void *second(void *arg)
{
    int is_ready = atomic_load_explicit(&ready, memory_order_acquire);
    got = is_ready ? data.yours : data.mine;
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
