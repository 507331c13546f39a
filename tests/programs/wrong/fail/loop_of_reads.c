/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated runaway */
/* mode: all */
/* flags-plumb: --fold */
/* machine: x86-64 */
/* note: reads of all sizes, some of a whole range: hooks leave other registers behind each time */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

struct wide {
    long a, b, c;
};

static struct node {
    struct node *next;
    struct wide wide;
    short small;
    char tiny;
} nodes[5] = {{&nodes[3], {1, 2, 3}, 4, 5},
              {&nodes[0], {2, 2, 3}, 4, 5},
              {&nodes[1], {3, 2, 3}, 4, 5},
              {&nodes[4], {4, 2, 3}, 4, 5},
              {&nodes[2], {5, 2, 3}, 4, 5}};

static void *work(void *arg)
{
    (void)arg;
    const struct node *n = nodes;
    struct wide copy = {0};
    if (atomic_load(&ready))
        while (n->tiny + n->small + copy.a != 100) {
            copy = n->wide;
            n = n->next;
        }
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
