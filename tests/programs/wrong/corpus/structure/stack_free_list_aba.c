/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* note: pop of a stack with a free list and no tag: the node came back with another neighbour */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { EMPTY = 0xff };
static atomic_uint top; /* index, and a tag above it */
static atomic_uchar next[3] = {1, 2, EMPTY};
static atomic_int owners[3];

static int pop(void)
{
    unsigned old = atomic_load(&top);
    while ((old & 0xff) != EMPTY) {
        unsigned first = old & 0xff;
        unsigned tag = 0;
        if (atomic_compare_exchange_strong(&top, &old, tag | atomic_load(&next[first])))
            return (int)first;
    }
    return -1;
}

static void push(int i)
{
    unsigned old = atomic_load(&top), fresh;
    do {
        atomic_store(&next[i], (unsigned char)old);
        fresh = (unsigned)i;
    } while (!atomic_compare_exchange_strong(&top, &old, fresh));
}

static void *one(void *unused)
{
    (void)unused;
    int i = pop();
    if (i >= 0)
        assert(atomic_fetch_add(&owners[i], 1) == 0);
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    int a = pop(), b = pop();
    if (b >= 0)
        assert(atomic_fetch_add(&owners[b], 1) == 0);
    if (a >= 0)
        push(a);
    int c = pop();
    if (c >= 0)
        assert(atomic_fetch_add(&owners[c], 1) == 0);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, one, NULL);
    pthread_create(&t[1], NULL, two, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
