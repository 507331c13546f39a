/* SPDX-License-Identifier: Apache-2.0 */
/* Message queues of POSIX: those of one execution. */
#include "rt/start.h"
#include "rt/threads/queues.h"

#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { QUEUES = 16, DESCRIPTORS = 64, FIRST_DESCRIPTOR = 1 << 20, NAME_SIZE = 256, PRIORITIES = 32768 };

struct named {
    struct queue queue;
    char name[NAME_SIZE]; /* empty: unlinked */
    long most, size_most;
    uint32_t open; /* descriptors */
};
static struct named queues[QUEUES];
static struct descriptor {
    struct named *queue;
    int flags;
} descriptors[DESCRIPTORS];
static bool any; /* in this execution */

BEFORE_EACH_EXECUTION(posix_queues_reset)
{
    for (int k = 0; any && k < QUEUES; k++)
        queue_end(&queues[k].queue);
    if (any)
        real.memset(descriptors, 0, sizeof descriptors);
    any = false;
}

static int fail_with(int error)
{
    errno = error;
    return -1;
}

/* ------------------------------------------------------------------ opening and closing */

static struct named *find_name(const char *name)
{
    for (int k = 0; k < QUEUES; k++)
        if (queues[k].queue.exists && queues[k].name[0] && strcmp(queues[k].name, name) == 0)
            return &queues[k];
    return NULL;
}

static struct named *make_queue(const char *name, const struct mq_attr *attr, const void *pc)
{
    for (int k = 0; k < QUEUES; k++)
        if (!queues[k].queue.exists) {
            any = queues[k].queue.exists = true;
            real.memcpy(queues[k].name, name, strlen(name) + 1);
            queues[k].most = attr ? attr->mq_maxmsg : 10;
            queues[k].size_most = attr ? attr->mq_msgsize : 8192;
            queues[k].open = 0;
            return &queues[k];
        }
    engine_give_up(pc, "more than %d queues of messages", QUEUES);
}

static mqd_t open_queue(struct named *q, int flags, const void *pc)
{
    for (int k = 0; k < DESCRIPTORS; k++)
        if (!descriptors[k].queue) {
            descriptors[k] = (struct descriptor){q, flags};
            q->open++;
            return FIRST_DESCRIPTOR + k;
        }
    engine_give_up(pc, "more than %d open queues of messages", DESCRIPTORS);
}

static mqd_t find_or_make(const char *name, int flags, const struct mq_attr *attr, const void *pc)
{
    struct named *q = find_name(name);
    if (name[0] != '/' || strlen(name) >= NAME_SIZE)
        return fail_with(name[0] == '/' ? ENAMETOOLONG : EINVAL);
    if (q && flags & O_CREAT && flags & O_EXCL)
        return fail_with(EEXIST);
    if (!q && !(flags & O_CREAT))
        return fail_with(ENOENT);
    if (!q && attr && (attr->mq_maxmsg <= 0 || attr->mq_msgsize <= 0))
        return fail_with(EINVAL);
    return open_queue(q ? q : make_queue(name, attr, pc), flags, pc);
}

EXPORT mqd_t mq_open(const char *name, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t); /* to take them in any case does no harm */
    struct mq_attr *attr = va_arg(rest, struct mq_attr *);
    va_end(rest);
    if (!engine_active)
        return NEXT(mq_open)(name, flags, mode, attr);
    if (flags & O_CREAT && attr)
        engine_plain((uint64_t)attr, sizeof *attr, false, CALLER);
    return find_or_make(name, flags, flags & O_CREAT ? attr : NULL, CALLER);
}

static struct descriptor *find_descriptor(mqd_t number)
{
    uint32_t k = (uint32_t)(number - FIRST_DESCRIPTOR);
    errno = EBADF;
    return k < DESCRIPTORS && descriptors[k].queue ? &descriptors[k] : NULL;
}

static void end_unused(struct named *q)
{
    if (!q->name[0] && !q->open)
        queue_end(&q->queue);
}

REPLACE_BY(int, mq_close, (number), mqd_t number)
{
    struct descriptor *d = find_descriptor(number);
    if (!d)
        return -1;
    d->queue->open--;
    end_unused(d->queue);
    d->queue = NULL;
    return 0;
}

REPLACE_BY(int, mq_unlink, (name), const char *name)
{
    struct named *q = find_name(name);
    if (!q)
        return fail_with(ENOENT);
    q->name[0] = 0;
    end_unused(q);
    return 0;
}

/* ------------------------------------------------------------------ messages */

static int send_message(mqd_t number, const char *text, size_t size, unsigned priority,
                        const struct deadline *limit, const void *pc)
{
    struct descriptor *d = find_descriptor(number);
    if (!d || (d->flags & O_ACCMODE) == O_RDONLY)
        return fail_with(EBADF);
    struct named *q = d->queue;
    if (priority >= PRIORITIES || size > (size_t)q->size_most)
        return fail_with(priority >= PRIORITIES ? EINVAL : EMSGSIZE);
    gate_enter(&q->queue.gate, pc);
    int error = 0;
    while (!error && q->queue.count >= (size_t)q->most)
        error = d->flags & O_NONBLOCK ? EAGAIN : queue_wait(&q->queue, limit, pc);
    if (!error)
        queue_add(&q->queue, (long)priority, text, size);
    gate_leave(&q->queue.gate, !error, pc);
    return error ? fail_with(error) : 0;
}

/* The oldest of the highest priority. */
static struct message take_message(struct queue *q)
{
    size_t best = 0;
    for (size_t k = 1; k < q->count; k++)
        if (q->messages[k].type > q->messages[best].type)
            best = k;
    return queue_remove(q, best);
}

static ssize_t deliver(struct message m, char *to, unsigned *priority, const void *pc)
{
    ssize_t size = (ssize_t)m.size;
    engine_plain((uint64_t)to, m.size, true, pc);
    real.memcpy(to, m.text, m.size);
    if (priority) {
        engine_plain((uint64_t)priority, sizeof *priority, true, pc);
        *priority = (unsigned)m.type;
    }
    queue_forget(m);
    return size;
}

static ssize_t receive_message(mqd_t number, char *to, size_t size, unsigned *priority,
                               const struct deadline *limit, const void *pc)
{
    struct descriptor *d = find_descriptor(number);
    if (!d || (d->flags & O_ACCMODE) == O_WRONLY)
        return fail_with(EBADF);
    struct named *q = d->queue;
    if (size < (size_t)q->size_most)
        return fail_with(EMSGSIZE);
    gate_enter(&q->queue.gate, pc);
    int error = 0;
    while (!error && !q->queue.count)
        error = d->flags & O_NONBLOCK ? EAGAIN : queue_wait(&q->queue, limit, pc);
    ssize_t result = error ? -1 : deliver(take_message(&q->queue), to, priority, pc);
    gate_leave(&q->queue.gate, !error, pc);
    errno = error ? error : errno;
    return result;
}

REPLACE(int, mq_send, (number, text, size, priority),
        send_message(number, text, size, priority, NULL, CALLER), mqd_t number, const char *text, size_t size,
        unsigned priority)
REPLACE(int, mq_timedsend, (number, text, size, priority, until),
        send_message(number, text, size, priority, &(struct deadline){CLOCK_REALTIME, until}, CALLER),
        mqd_t number, const char *text, size_t size, unsigned priority, const struct timespec *until)
REPLACE(ssize_t, mq_receive, (number, to, size, priority),
        receive_message(number, to, size, priority, NULL, CALLER), mqd_t number, char *to, size_t size,
        unsigned *priority)
REPLACE(ssize_t, mq_timedreceive, (number, to, size, priority, until),
        receive_message(number, to, size, priority, &(struct deadline){CLOCK_REALTIME, until}, CALLER),
        mqd_t number, char *restrict to, size_t size, unsigned *restrict priority,
        const struct timespec *restrict until)

/* ------------------------------------------------------------------ attributes */

static int describe(struct descriptor *d, struct mq_attr *attr, const void *pc)
{
    struct named *q = d->queue;
    gate_enter(&q->queue.gate, pc);
    engine_plain((uint64_t)attr, sizeof *attr, true, pc);
    *attr = (struct mq_attr){.mq_flags = d->flags & O_NONBLOCK,
                             .mq_maxmsg = q->most,
                             .mq_msgsize = q->size_most,
                             .mq_curmsgs = (long)q->queue.count};
    gate_leave(&q->queue.gate, false, pc);
    return 0;
}

REPLACE_BY(int, mq_getattr, (number, attr), mqd_t number, struct mq_attr *attr)
{
    struct descriptor *d = find_descriptor(number);
    return d ? describe(d, attr, CALLER) : -1;
}

REPLACE_BY(int, mq_setattr, (number, attr, old), mqd_t number, const struct mq_attr *restrict attr,
           struct mq_attr *restrict old)
{
    struct descriptor *d = find_descriptor(number);
    if (!d)
        return -1;
    if (old)
        describe(d, old, CALLER);
    d->flags = (d->flags & ~O_NONBLOCK) | ((int)attr->mq_flags & O_NONBLOCK);
    return 0;
}

REFUSE(int, mq_notify, (number, event), "mq_notify", mqd_t number, const struct sigevent *event)
