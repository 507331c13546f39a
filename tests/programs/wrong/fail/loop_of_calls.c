/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated runaway */
/* races: violated deadlock */
/* machine: x86-64 */
/* note: goes round in a list, by calls that only read */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static struct node {
    struct node *next;
    int value;
} nodes[3] = {{&nodes[1], 1}, {&nodes[2], 2}, {&nodes[0], 3}};

__attribute__((noinline)) static int is_found(const struct node *n, int value)
{
    return n->value == value;
}

static void *work(void *arg)
{
    (void)arg;
    const struct node *n = nodes;
    if (atomic_load(&ready))
        while (!is_found(n, 4))
            n = n->next;
    return (void *)n;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    atomic_store(&ready, 1);
    pthread_join(t, NULL);
    return 0;
}
