/* SPDX-License-Identifier: Apache-2.0 */
/* Queues of messages, of System V and of POSIX: what both have. */
#ifndef RT_QUEUES_H
#define RT_QUEUES_H

#include "rt/threads/gates.h"

struct message {
    long type; /* POSIX: the priority */
    size_t size;
    char *text;
};

struct queue {
    bool exists;
    uint32_t ended; /* how often a queue was removed here */
    struct gate gate;
    struct message *messages; /* the oldest first */
    size_t count, room, bytes;
};

/* The queue is not there any more, and its messages with it. */
void queue_end(struct queue *q);

/* The thread is inside of the gate. */
void queue_add(struct queue *q, long type, const char *text, size_t size);
struct message queue_remove(struct queue *q, size_t which); /* to be freed by queue_forget */
void queue_forget(struct message m);

/* Waits for others to change the queue: 0, or the error. */
int queue_wait(struct queue *q, const struct deadline *limit, const void *pc);

#endif
