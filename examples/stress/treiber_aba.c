/* SPDX-License-Identifier: Apache-2.0 */
/* A Treiber stack whose nodes are used again: each thread keeps those that it popped and takes the oldest one for its next
 * push. A pop that is late between its two steps may find the old node on top again, with another one below it (ABA): the exchange
 * succeeds and puts a node on top that somebody else keeps. -DFIXED: the top has a tag that counts pops. */
#include <plumb.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

enum { THREADS = 257, CHUNK = 1 << 8, CHUNKS = 1 << 14 };

/* Links are numbers of nodes; 0: none. */
struct node {
    _Atomic uint32_t next;
    uint32_t later; /* the next one that its thread keeps */
    _Atomic long value;
};

static _Atomic(struct node *) chunks[CHUNKS]; /* allocated when needed, never given back in a round */
static _Atomic uint32_t node_count;
static _Atomic uint64_t top; /* number of a node, and the tag above it */

/* Nodes that a thread keeps, the oldest first. */
static struct {
    uint32_t first, last;
} kept[THREADS];

static struct node *node_at(uint32_t number)
{
    return &chunks[number / CHUNK][number % CHUNK];
}

static void allocate(_Atomic(struct node *) *chunk)
{
    struct node *none = NULL, *fresh = calloc(CHUNK, sizeof *fresh);
    if (!atomic_compare_exchange_strong(chunk, &none, fresh))
        free(fresh);
}

static uint32_t take_node(void)
{
    uint32_t number = kept[plumb_thread()].first;
    if (number) {
        kept[plumb_thread()].first = node_at(number)->later;
        return number;
    }
    number = atomic_fetch_add(&node_count, 1) + 1;
    plumb_assume(number < CHUNK * CHUNKS);
    if (!chunks[number / CHUNK])
        allocate(&chunks[number / CHUNK]);
    return number;
}

static void keep_node(uint32_t number)
{
    unsigned me = plumb_thread();
    node_at(number)->later = 0;
    if (kept[me].first)
        node_at(kept[me].last)->later = number;
    else
        kept[me].first = number;
    kept[me].last = number;
}

static uint64_t with_next_tag(uint64_t old, uint32_t number)
{
#ifdef FIXED
    return ((old >> 32) + 1) << 32 | number;
#else
    (void)old;
    return number;
#endif
}

PLUMB_OBJECT(stack)

PLUMB_SETUP()
{
    top = 0;
    node_count = 0;
    for (int t = 0; t < THREADS; t++)
        kept[t].first = 0;
}

PLUMB_OP(push, long, value)
{
    uint32_t number = take_node();
    struct node *n = node_at(number);
    n->value = value;
    uint64_t old = top;
    do
        n->next = (uint32_t)old;
    while (!atomic_compare_exchange_weak(&top, &old, old >> 32 << 32 | number));
    return PLUMB_OK;
}

PLUMB_OP(pop)
{
    uint64_t old = top;
    do {
        if (!(uint32_t)old)
            return PLUMB_NONE;
    } while (!atomic_compare_exchange_weak(&top, &old, with_next_tag(old, node_at((uint32_t)old)->next)));
    long value = node_at((uint32_t)old)->value;
    keep_node((uint32_t)old);
    return PLUMB_INT(value);
}

PLUMB_TEST("push(1) push(2) => pop | pop pop push(3) => pop pop")
