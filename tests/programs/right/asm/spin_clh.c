/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* note: Craig's lock: each waits for the node before its own */
#include "../../x86.h"

struct node {
    uint32_t waits;
    struct node *before;
};
static struct node first, nodes[2], *tail = &first;
static int counter;

static void *add(void *arg)
{
    struct node *mine = &nodes[(intptr_t)arg];
    store_32(&mine->waits, 1);
#ifdef BREAK_TAIL
    mine->before = LOAD_PTR(&tail);
    STORE_PTR(&tail, mine);
#else
    mine->before = swap_ptr((pointer *)&tail, mine);
#endif
    while (load_32(&mine->before->waits))
        stall();
    counter++;
    store_32(&mine->waits, 0);
    return arg;
}

int main(void)
{
    run_threads(2, add);
    assert(counter == 2);
    return 0;
}
