/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: what realloc copies was written, with what malloc fills memory with as well */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct node {
    atomic_int value, filling, zero;
};

static _Atomic(struct node *) head;

static void *publish(void *unused)
{
    int *words = malloc(3 * sizeof *words);
    words[0] = 1;
    memset(&words[1], 0xa5, sizeof *words);
    words[2] = 0;
    struct node *n = realloc(realloc(words, 64), 16 * sizeof *n);
    atomic_store_explicit(&head, n, memory_order_release);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, publish, NULL);
    struct node *n = atomic_load_explicit(&head, memory_order_acquire);
    int sum = n ? atomic_load(&n->value) + atomic_load(&n->filling) + atomic_load(&n->zero) : 0;
    pthread_join(t, NULL);
    struct node *early = realloc(memset(malloc(8), 0xa5, 8), 80);
    sum += atomic_load(&early->filling);
    free(early);
    free(atomic_load(&head));
    return sum - sum;
}
