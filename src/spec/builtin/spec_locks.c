/* SPDX-License-Identifier: Apache-2.0 */
/* lock, rwlock and semaphore. An operation that has to wait has no outcome. */
#include "spec/builtin/builtin.h"

#include <stdio.h>

/* Owners are thread + 1; 0: not held. */
static uint64_t lock_owner(const struct plumb_call *call)
{
    return (uint64_t)call->thread + 1;
}

enum { LOCK_ACQUIRE, LOCK_TRY_ACQUIRE, LOCK_RELEASE };

static const struct plumb_operation lock_operations[] = {
    [LOCK_ACQUIRE] = {"acquire", "", "k", false, PLUMB_NO_ROLE, NULL},
    [LOCK_TRY_ACQUIRE] = {"try_acquire", "", "b", false, PLUMB_NO_ROLE, NULL},
    [LOCK_RELEASE] = {"release", "", "k", false, PLUMB_NO_ROLE, NULL},
};

static void *lock_init(const struct plumb_spec_options *options)
{
    return cell_create(options, 0, 0);
}

static bool lock_step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct cell *c = state;
    bool was_free = !c->word;
    bool tries = call->op == LOCK_TRY_ACQUIRE;
    bool possible = call->op == LOCK_RELEASE ? c->word == lock_owner(call) : was_free || tries;
    plumb_value answer = tries ? plumb_bool(was_free) : PLUMB_OK;
    if (choice || !possible || !spec_answer(call, answer, result))
        return false;
    if (call->op == LOCK_RELEASE)
        c->word = 0;
    else if (was_free)
        c->word = lock_owner(call);
    return true;
}

/* lock(recursive): its holder may acquire it again; `bound` counts how often it has. */
static bool lock_step_recursive(void *state, const struct plumb_call *call, unsigned choice,
                                plumb_value *result)
{
    struct cell *c = state;
    if (c->word != lock_owner(call))
        return lock_step(state, call, choice, result);
    bool tries = call->op == LOCK_TRY_ACQUIRE;
    if (choice || !spec_answer(call, tries ? PLUMB_TRUE : PLUMB_OK, result))
        return false;
    if (call->op != LOCK_RELEASE)
        c->bound++;
    else if (c->bound)
        c->bound--;
    else
        c->word = 0;
    return true;
}

static size_t lock_print(const void *state, char *buffer, size_t size)
{
    const struct cell *c = state;
    if (!c->word)
        return (size_t)snprintf(buffer, size, "free");
    return (size_t)snprintf(buffer, size, "held");
}

const struct plumb_spec spec_lock = {
    .name = "lock",
    .summary = "mutual exclusion",
    SPEC_OPERATIONS(lock_operations),
    .init = lock_init,
    CELL_STATE,
    .step = lock_step,
    .effect_free = spec_answers_false,
    .print = lock_print,
    .deterministic = true,
    .thread_matters = true,
};

enum { RW_READ_LOCK, RW_TRY_READ_LOCK, RW_READ_UNLOCK, RW_WRITE_LOCK, RW_TRY_WRITE_LOCK, RW_WRITE_UNLOCK };

static const struct plumb_operation rwlock_operations[] = {
    [RW_READ_LOCK] = {"read_lock", "", "k", false, PLUMB_NO_ROLE, NULL},
    [RW_TRY_READ_LOCK] = {"try_read_lock", "", "b", false, PLUMB_NO_ROLE, NULL},
    [RW_READ_UNLOCK] = {"read_unlock", "", "k", false, PLUMB_NO_ROLE, NULL},
    [RW_WRITE_LOCK] = {"write_lock", "", "k", false, PLUMB_NO_ROLE, NULL},
    [RW_TRY_WRITE_LOCK] = {"try_write_lock", "", "b", false, PLUMB_NO_ROLE, NULL},
    [RW_WRITE_UNLOCK] = {"write_unlock", "", "k", false, PLUMB_NO_ROLE, NULL},
};

/* Readers are entries of the table with the number of times they hold it; table.extra is the writer. */
static bool rwlock_lock(struct table *t, const struct plumb_call *call, bool writes, bool tries,
                        plumb_value *result)
{
    bool possible = !t->extra && !(writes && t->count);
    if (!possible && !tries)
        return false;
    if (!spec_answer(call, tries ? plumb_bool(possible) : PLUMB_OK, result))
        return false;
    if (possible && writes)
        t->extra = lock_owner(call);
    else if (possible)
        table_add_copy(t, plumb_int(t->values, call->thread), 0);
    return true;
}

static bool rwlock_unlock(struct table *t, const struct plumb_call *call, bool writes, plumb_value *result)
{
    uint32_t at = writes ? TABLE_NONE : table_find(t, plumb_int(t->values, call->thread), 0);
    bool possible = writes ? t->extra == lock_owner(call) : at != TABLE_NONE;
    if (!possible || !spec_answer(call, PLUMB_OK, result))
        return false;
    if (writes)
        t->extra = 0;
    else
        table_drop_copy(t, at);
    return true;
}

static bool rwlock_step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    bool writes = call->op >= RW_WRITE_LOCK;
    if (choice)
        return false;
    if (call->op == RW_READ_UNLOCK || call->op == RW_WRITE_UNLOCK)
        return rwlock_unlock(state, call, writes, result);
    bool tries = call->op == RW_TRY_READ_LOCK || call->op == RW_TRY_WRITE_LOCK;
    return rwlock_lock(state, call, writes, tries, result);
}

static size_t rwlock_print(const void *state, char *buffer, size_t size)
{
    const struct table *t = state;
    unsigned long long readers = 0;
    for (uint32_t i = 0; i < t->count; i++)
        readers += t->entries[i].word;
    if (readers)
        return (size_t)snprintf(buffer, size, "%llu reading", readers);
    return (size_t)snprintf(buffer, size, "%s", t->extra ? "being written" : "free");
}

const struct plumb_spec spec_rwlock = {
    .name = "rwlock",
    .summary = "many readers or one writer",
    SPEC_OPERATIONS(rwlock_operations),
    TABLE_STATE,
    .step = rwlock_step,
    .effect_free = spec_answers_false,
    .print = rwlock_print,
    .deterministic = true,
    .thread_matters = true,
};

/* Histories of a reader-writer lock may have nested reads anyway; being recursive decides which tests are generated. */
bool spec_recursive_make(struct plumb_spec *spec)
{
    if (spec->step == lock_step)
        spec->step = lock_step_recursive;
    return spec->step == lock_step_recursive || spec->step == rwlock_step;
}

enum { SEMAPHORE_ACQUIRE, SEMAPHORE_TRY_ACQUIRE, SEMAPHORE_RELEASE };

static const struct plumb_operation semaphore_operations[] = {
    [SEMAPHORE_ACQUIRE] = {"acquire", "", "k", false, PLUMB_NO_ROLE, NULL},
    [SEMAPHORE_TRY_ACQUIRE] = {"try_acquire", "", "b", false, PLUMB_NO_ROLE, NULL},
    [SEMAPHORE_RELEASE] = {"release", "", "k", false, PLUMB_NO_ROLE, NULL},
};

static void *semaphore_init(const struct plumb_spec_options *options)
{
    return cell_create(options, (uint64_t)cell_initial_number(options, 0), 0);
}

static bool semaphore_step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct cell *c = state;
    bool tries = call->op == SEMAPHORE_TRY_ACQUIRE, releases = call->op == SEMAPHORE_RELEASE;
    bool possible = releases ? c->word < INT64_MAX : c->word > 0;
    plumb_value answer = tries ? plumb_bool(possible) : PLUMB_OK;
    if (choice || !(possible || tries) || !spec_answer(call, answer, result))
        return false;
    if (possible)
        cell_add(c, releases ? 1 : -1);
    return true;
}

const struct plumb_spec spec_semaphore = {
    .name = "semaphore",
    .summary = "a number of permits",
    SPEC_OPERATIONS(semaphore_operations),
    .init = semaphore_init,
    CELL_STATE,
    .step = semaphore_step,
    .effect_free = spec_answers_false,
    .valid_initial = cell_initial_is_count,
    .print = cell_print_number,
    .deterministic = true,
};
