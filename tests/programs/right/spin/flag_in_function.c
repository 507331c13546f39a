/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: the load is two calls away from the loop */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

struct gate {
    atomic_int open;
};

static struct gate gate;
static int data;

__attribute__((noinline)) static int look(struct gate *g)
{
    return atomic_load(&g->open);
}

__attribute__((noinline)) static int is_open(struct gate *g)
{
    return look(g) != 0;
}

static void *opener(void *arg)
{
    (void)arg;
    data = 2;
    atomic_store(&gate.open, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, opener, NULL);
    while (!is_open(&gate))
        sched_yield();
    assert(data == 2);
    pthread_join(t, NULL);
    return 0;
}
