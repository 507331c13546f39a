/* SPDX-License-Identifier: Apache-2.0 */
/* Semaphores of System V. Other processes do not exist for an execution: its sets begin and end with it. */
#include "rt/start.h"
#include "rt/system/identity.h"
#include "rt/threads/gates.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/ipc.h>
#include <sys/sem.h>

enum { SETS = 16, SEMAPHORES = 64, OPERATIONS = 64, VALUE_MAX = 32767, FIRST_SET = 1 << 16 };

static struct set {
    bool exists;
    key_t key;
    unsigned short count, mode;
    uint32_t ended; /* how often a set was removed here */
    struct semaphore {
        unsigned short value;
        uint16_t waits_for_more, waits_for_zero;
        pid_t last;
    } semaphores[SEMAPHORES];
    struct gate gate;
} sets[SETS];
static bool any; /* was made in this execution */

BEFORE_EACH_EXECUTION(sets_reset)
{
    if (any)
        real.memset(sets, 0, sizeof sets);
    any = false;
}

static int fail_with(int error)
{
    errno = error;
    return -1;
}

static struct set *find_set(int number)
{
    uint32_t k = (uint32_t)(number - FIRST_SET);
    errno = EINVAL;
    return k < SETS && sets[k].exists ? &sets[k] : NULL;
}

static int make_set(key_t key, int count, int flags, const void *pc)
{
    if (count <= 0)
        return fail_with(EINVAL);
    for (int k = 0; k < SETS && count <= SEMAPHORES; k++)
        if (!sets[k].exists) {
            any = sets[k].exists = true;
            sets[k].key = key;
            sets[k].count = (unsigned short)count;
            sets[k].mode = flags & 0777;
            real.memset(sets[k].semaphores, 0, sizeof sets[k].semaphores);
            return FIRST_SET + k;
        }
    engine_give_up(pc, "more than %d sets of semaphores, or %d in one", SETS, SEMAPHORES);
}

REPLACE_BY(int, semget, (key, count, flags), key_t key, int count, int flags)
{
    for (int k = 0; key != IPC_PRIVATE && k < SETS; k++)
        if (sets[k].exists && sets[k].key == key) {
            if (flags & IPC_CREAT && flags & IPC_EXCL)
                return fail_with(EEXIST);
            return count > sets[k].count ? fail_with(EINVAL) : FIRST_SET + k;
        }
    if (key != IPC_PRIVATE && !(flags & IPC_CREAT))
        return fail_with(ENOENT);
    return make_set(key, count, flags, CALLER);
}

/* ------------------------------------------------------------------ operations */

/* The first that has to wait, or null. The values are as before then. */
static const struct sembuf *apply(struct set *s, const struct sembuf *list, size_t count)
{
    unsigned short before[SEMAPHORES];
    for (int k = 0; k < s->count; k++)
        before[k] = s->semaphores[k].value;
    for (size_t k = 0; k < count; k++) {
        unsigned short *value = &s->semaphores[list[k].sem_num].value;
        bool waits = list[k].sem_op == 0 ? *value != 0 : list[k].sem_op < 0 && *value < -list[k].sem_op;
        *value = (unsigned short)(*value + (waits ? 0 : list[k].sem_op));
        if (!waits)
            continue;
        for (int b = 0; b < s->count; b++)
            s->semaphores[b].value = before[b];
        return &list[k];
    }
    for (size_t k = 0; k < count; k++)
        s->semaphores[list[k].sem_num].last = IDENTITY_PROCESS;
    return NULL;
}

static int check_list(const struct set *s, const struct sembuf *list, size_t count)
{
    if (count == 0)
        return EINVAL;
    if (count > OPERATIONS)
        return E2BIG;
    for (size_t k = 0; k < count; k++) {
        if (list[k].sem_num >= s->count)
            return EFBIG;
        if (list[k].sem_op > 0 && s->semaphores[list[k].sem_num].value + list[k].sem_op > VALUE_MAX)
            return ERANGE;
    }
    return 0;
}

static int wait_for(struct set *s, const struct sembuf *what, const struct deadline *limit, const void *pc)
{
    struct semaphore *m = &s->semaphores[what->sem_num];
    uint16_t *waiting = what->sem_op ? &m->waits_for_more : &m->waits_for_zero;
    uint32_t ended = s->ended;
    if (what->sem_flg & IPC_NOWAIT)
        return EAGAIN;
    ++*waiting;
    bool in_time = gate_wait(&s->gate, limit, pc);
    if (s->ended != ended)
        return EIDRM;
    --*waiting;
    return in_time ? 0 : EAGAIN;
}

static int operate(int number, const struct sembuf *list, size_t count, const struct deadline *limit,
                   const void *pc)
{
    struct set *s = find_set(number);
    if (!s)
        return -1;
    gate_enter(&s->gate, pc);
    int error = s->exists ? check_list(s, list, count) : EIDRM;
    for (const struct sembuf *waits; !error && (waits = apply(s, list, count));)
        error = wait_for(s, waits, limit, pc);
    gate_leave(&s->gate, !error, pc);
    return error ? fail_with(error) : 0;
}

REPLACE(int, semop, (number, list, count), operate(number, list, count, NULL, CALLER), int number,
        struct sembuf *list, size_t count)

REPLACE_BY(int, semtimedop, (number, list, count, span), int number, struct sembuf *list, size_t count,
           const struct timespec *span)
{
    struct timespec moment;
    struct deadline limit;
    return operate(number, list, count, gate_limit_after(span, &moment, &limit), CALLER);
}

/* ------------------------------------------------------------------ control */

union argument { /* of semctl; the program declares it */
    int value;
    struct semid_ds *state;
    unsigned short *list;
};

static int control_all(struct set *s, int command, unsigned short *list, const void *pc)
{
    engine_plain((uint64_t)list, s->count * sizeof *list, command == GETALL, pc);
    for (int k = 0; k < s->count; k++)
        if (command == GETALL)
            list[k] = s->semaphores[k].value;
        else
            s->semaphores[k].value = list[k];
    return 0;
}

static int describe_set(const struct set *s, struct semid_ds *state, const void *pc)
{
    engine_plain((uint64_t)state, sizeof *state, true, pc);
    *state = (struct semid_ds){.sem_nsems = s->count};
    state->sem_perm.mode = s->mode;
    state->sem_perm.__key = s->key;
    return 0;
}

static int remove_set(struct set *s)
{
    s->exists = false;
    s->ended++;
    return 0;
}

static int set_value(struct set *s, int which, int value)
{
    if (value < 0 || value > VALUE_MAX)
        return fail_with(ERANGE);
    s->semaphores[which].value = (unsigned short)value;
    return 0;
}

static int control(struct set *s, int which, int command, union argument a, const void *pc)
{
    bool is_one = command == GETVAL || command == SETVAL || command == GETPID || command == GETNCNT ||
                  command == GETZCNT;
    if (!s->exists || (is_one && (which < 0 || which >= s->count)))
        return fail_with(s->exists ? EINVAL : EIDRM);
    switch (command) {
    case IPC_RMID: return remove_set(s);
    case IPC_STAT: return describe_set(s, a.state, pc);
    case IPC_SET: return 0;
    case GETALL:
    case SETALL: return control_all(s, command, a.list, pc);
    case GETVAL: return s->semaphores[which].value;
    case SETVAL: return set_value(s, which, a.value);
    case GETPID: return s->semaphores[which].last;
    case GETNCNT: return s->semaphores[which].waits_for_more;
    case GETZCNT: return s->semaphores[which].waits_for_zero;
    default: engine_give_up(pc, "semctl with command %d", command);
    }
}

EXPORT int semctl(int number, int which, int command, ...)
{
    va_list rest;
    va_start(rest, command);
    union argument a = va_arg(rest, union argument); /* to take it in any case does no harm */
    va_end(rest);
    if (!engine_active)
        return NEXT(semctl)(number, which, command, a);
    struct set *s = find_set(number);
    if (!s)
        return -1;
    gate_enter(&s->gate, CALLER);
    int result = control(s, which, command, a, CALLER);
    gate_leave(&s->gate, command == SETVAL || command == SETALL || command == IPC_RMID, CALLER);
    return result;
}
