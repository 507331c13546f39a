/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* note: a ring of one producer and one consumer */
#include "../../x86.h"

enum { SIZE = 2 };
static int slots[SIZE];
static uint32_t c_head, p_tail;

static bool enqueue(int value)
{
    uint32_t tail = p_tail, head = load_32(&c_head);
    if (tail - head == SIZE)
        return false;
#ifdef BREAK_ORDER
    store_32(&p_tail, tail + 1);
    slots[tail % SIZE] = value;
#else
    slots[tail % SIZE] = value;
    fence_store();
    store_32(&p_tail, tail + 1);
#endif
    return true;
}

static bool dequeue(int *value)
{
    uint32_t head = c_head;
    if (head == load_32(&p_tail))
        return false;
    fence_load();
    *value = slots[head % SIZE];
    fence_store();
    store_32(&c_head, head + 1);
    return true;
}

static void *produce(void *arg)
{
    for (int k = 1; k <= 2; k++)
        while (!enqueue(k))
            stall();
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, produce, NULL);
    for (int expected = 1; expected <= 2; expected++) {
        int value;
        while (!dequeue(&value))
            stall();
        assert(value == expected);
    }
    pthread_join(t, NULL);
    return 0;
}
