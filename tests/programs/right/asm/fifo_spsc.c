/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* note: a linked queue of one producer and one consumer */
#include "../../x86.h"

struct entry {
    int value;
    struct entry *next;
};
static struct entry entries[3], *head = &entries[0], *tail = &entries[0];

static void enqueue(struct entry *e, int value)
{
#ifdef BREAK_ORDER
    e->next = NULL;
    STORE_PTR(&tail->next, e);
    e->value = value;
#else
    e->value = value;
    e->next = NULL;
    fence_store();
    STORE_PTR(&tail->next, e);
#endif
    tail = e;
}

static bool dequeue(int *value)
{
    struct entry *e = LOAD_PTR(&head->next);
    if (!e)
        return false;
    *value = e->value;
    STORE_PTR(&head, e);
    return true;
}

static void *produce(void *arg)
{
    enqueue(&entries[1], 1);
    enqueue(&entries[2], 2);
    return arg;
}

int main(void)
{
    pthread_t t;
    int value, expected = 1;
    pthread_create(&t, NULL, produce, NULL);
    for (int k = 0; k < 2; k++)
        if (dequeue(&value))
            assert(value == expected++);
    pthread_join(t, NULL);
    return 0;
}
