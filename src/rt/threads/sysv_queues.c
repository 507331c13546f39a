/* SPDX-License-Identifier: Apache-2.0 */
/* Message queues of System V: those of one execution. */
#include "rt/start.h"
#include "rt/system/identity.h"
#include "rt/threads/queues.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/msg.h>

enum { QUEUES = 16, FIRST_QUEUE = 1 << 16, BYTES_MOST = 16384, SIZE_MOST = 8192 };

static struct {
    struct queue queue;
    key_t key;
    size_t most; /* bytes */
} queues[QUEUES];
static bool any; /* was made in this execution */

BEFORE_EACH_EXECUTION(sysv_queues_reset)
{
    for (int k = 0; any && k < QUEUES; k++)
        queue_end(&queues[k].queue);
    any = false;
}

static int fail_with(int error)
{
    errno = error;
    return -1;
}

static struct queue *find_queue(int number)
{
    uint32_t k = (uint32_t)(number - FIRST_QUEUE);
    errno = EINVAL;
    return k < QUEUES && queues[k].queue.exists ? &queues[k].queue : NULL;
}

static size_t most_of(int number)
{
    return queues[number - FIRST_QUEUE].most;
}

REPLACE_BY(int, msgget, (key, flags), key_t key, int flags)
{
    int free_one = QUEUES;
    for (int k = QUEUES; k-- > 0;) {
        if (!queues[k].queue.exists)
            free_one = k;
        else if (key != IPC_PRIVATE && queues[k].key == key)
            return flags & IPC_CREAT && flags & IPC_EXCL ? fail_with(EEXIST) : FIRST_QUEUE + k;
    }
    if (key != IPC_PRIVATE && !(flags & IPC_CREAT))
        return fail_with(ENOENT);
    if (free_one == QUEUES)
        engine_give_up(CALLER, "more than %d queues of messages", QUEUES);
    any = queues[free_one].queue.exists = true;
    queues[free_one].key = key;
    queues[free_one].most = BYTES_MOST;
    return FIRST_QUEUE + free_one;
}

/* A thread that comes in after the queue was removed finds none. */
static int check_exists(const struct queue *q)
{
    return q->exists ? 0 : EIDRM;
}

static int send_message(int number, const long *message, size_t size, int flags, const void *pc)
{
    struct queue *q = find_queue(number);
    if (!q || size > SIZE_MOST || *message < 1)
        return fail_with(EINVAL);
    gate_enter(&q->gate, pc);
    int error = check_exists(q);
    while (!error && q->bytes + size > most_of(number))
        error = flags & IPC_NOWAIT ? EAGAIN : queue_wait(q, NULL, pc);
    if (!error)
        queue_add(q, *message, (const char *)(message + 1), size);
    gate_leave(&q->gate, !error, pc);
    return error ? fail_with(error) : 0;
}

REPLACE(int, msgsnd, (number, message, size, flags), send_message(number, message, size, flags, CALLER),
        int number, const void *message, size_t size, int flags)

/* The one to take; `count`: there is none. */
static size_t choose_message(const struct queue *q, long type, int flags)
{
    size_t found = q->count;
    for (size_t k = 0; k < q->count; k++) {
        long t = q->messages[k].type;
        if (type == 0 || (type > 0 && (flags & MSG_EXCEPT ? t != type : t == type)))
            return k;
        if (type < 0 && t <= -type && (found == q->count || t < q->messages[found].type))
            found = k;
    }
    return found;
}

static ssize_t take_message(struct queue *q, size_t which, long *to, size_t size, const void *pc)
{
    struct message m = queue_remove(q, which);
    size = m.size < size ? m.size : size;
    engine_plain((uint64_t)to, sizeof *to + size, true, pc);
    *to = m.type;
    real.memcpy(to + 1, m.text, size);
    queue_forget(m);
    return (ssize_t)size;
}

static ssize_t receive_message(int number, long *to, size_t size, long type, int flags, const void *pc)
{
    struct queue *q = find_queue(number);
    ssize_t result = -1;
    if (!q || (ssize_t)size < 0)
        return fail_with(EINVAL);
    if (flags & MSG_COPY)
        engine_give_up(pc, "msgrcv with MSG_COPY");
    gate_enter(&q->gate, pc);
    int error = check_exists(q);
    size_t which;
    while (!error && (which = choose_message(q, type, flags)) == q->count)
        error = flags & IPC_NOWAIT ? ENOMSG : queue_wait(q, NULL, pc);
    if (!error && q->messages[which].size > size && !(flags & MSG_NOERROR))
        error = E2BIG;
    if (!error)
        result = take_message(q, which, to, size, pc);
    gate_leave(&q->gate, !error, pc);
    errno = error ? error : errno;
    return result;
}

REPLACE(ssize_t, msgrcv, (number, to, size, type, flags),
        receive_message(number, to, size, type, flags, CALLER), int number, void *to, size_t size, long type,
        int flags)

static int control(struct queue *q, int number, int command, struct msqid_ds *state, const void *pc)
{
    if (!q->exists)
        return fail_with(EIDRM);
    switch (command) {
    case IPC_RMID: queue_end(q); return 0;
    case IPC_STAT:
        engine_plain((uint64_t)state, sizeof *state, true, pc);
        *state = (struct msqid_ds){.msg_qnum = q->count, .msg_qbytes = most_of(number)};
        return 0;
    case IPC_SET:
        engine_plain((uint64_t)state, sizeof *state, false, pc);
        queues[number - FIRST_QUEUE].most = state->msg_qbytes;
        return 0;
    default: engine_give_up(pc, "msgctl with command %d", command);
    }
}

REPLACE_BY(int, msgctl, (number, command, state), int number, int command, struct msqid_ds *state)
{
    struct queue *q = find_queue(number);
    if (!q)
        return -1;
    gate_enter(&q->gate, CALLER);
    int result = control(q, number, command, state, CALLER);
    gate_leave(&q->gate, command != IPC_STAT, CALLER);
    return result;
}
