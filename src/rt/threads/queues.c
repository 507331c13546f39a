/* SPDX-License-Identifier: Apache-2.0 */
#include "rt/threads/queues.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>

void queue_add(struct queue *q, long type, const char *text, size_t size)
{
    if (q->count == q->room) {
        q->room = q->room ? 2 * q->room : 8;
        q->messages = base_realloc(q->messages, q->room * sizeof *q->messages);
    }
    char *copy = base_alloc(size + 1);
    real.memcpy(copy, text, size);
    q->messages[q->count++] = (struct message){type, size, copy};
    q->bytes += size;
}

struct message queue_remove(struct queue *q, size_t which)
{
    struct message m = q->messages[which];
    q->bytes -= m.size;
    q->count--;
    for (size_t k = which; k < q->count; k++)
        q->messages[k] = q->messages[k + 1];
    return m;
}

void queue_forget(struct message m)
{
    free(m.text);
}

void queue_end(struct queue *q)
{
    for (size_t k = 0; k < q->count; k++)
        queue_forget(q->messages[k]);
    free(q->messages);
    q->messages = NULL;
    q->count = q->room = q->bytes = 0;
    q->exists = false;
    q->ended++;
}

int queue_wait(struct queue *q, const struct deadline *limit, const void *pc)
{
    uint32_t ended = q->ended;
    if (!gate_wait(&q->gate, limit, pc))
        return ETIMEDOUT;
    return q->ended == ended ? 0 : EIDRM;
}
