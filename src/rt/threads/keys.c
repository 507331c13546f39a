/* SPDX-License-Identifier: Apache-2.0 */
/* Thread-specific values: pthread_key_* and C11's tss_*. */
#include "engine/code/modules.h"
#include "rt/hook.h"
#include "rt/start.h"
#include "rt/system/outside.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <threads.h>

enum { KEYS = 256 };

static struct {
    bool used;
    bool deleted;   /* in this execution */
    bool permanent; /* made before the first execution, or by the C++ library for itself */
    void (*destructor)(void *);
    void *initial; /* thread 0: set before the first execution */
} keys[KEYS];

static void *key_values[CLOCKS_THREADS_MAX][KEYS];
static int32_t used_at[CLOCKS_THREADS_MAX][KEYS]; /* clock of the thread's last use; 0: none */
static unsigned keys_used;                        /* the highest key ever used + 1 */

BEFORE_EACH_EXECUTION(keys_reset)
{
    unsigned last = 0;
    if (!keys_used)
        return;
    for (unsigned k = 0; k < keys_used; k++) {
        for (unsigned t = 0; t < CLOCKS_THREADS_MAX; t++) {
            key_values[t][k] = NULL;
            used_at[t][k] = 0;
        }
        keys[k].deleted = false;
        if (keys[k].permanent) {
            key_values[0][k] = keys[k].initial;
            last = k + 1;
        } else {
            keys[k].used = false;
        }
    }
    keys_used = last;
}

/* Numbers of deleted keys come last: a further use of one is noticed. */
static unsigned find_free_key(void)
{
    for (unsigned k = 1; k < KEYS; k++)
        if (!keys[k].used && !keys[k].deleted)
            return k;
    for (unsigned k = 1; k < KEYS; k++)
        if (!keys[k].used)
            return k;
    return KEYS;
}

static int create_key(unsigned *key, void (*destructor)(void *), const void *pc)
{
    if (start_has_begun && hook_is_watched(pc))
        outside_use(OUTSIDE_KEYS, true, pc);
    unsigned k = find_free_key();
    if (k == KEYS)
        return EAGAIN;
    keys[k].used = true;
    keys[k].deleted = false;
    keys[k].permanent = !start_has_begun || hook_is_library_code(pc);
    keys[k].destructor = destructor;
    keys[k].initial = NULL;
    for (unsigned t = 0; t < CLOCKS_THREADS_MAX; t++)
        key_values[t][k] = NULL;
    if (hook_is_watched(pc))
        engine_plain((uint64_t)key, sizeof *key, true, pc);
    *key = k;
    keys_used = k >= keys_used ? k + 1 : keys_used;
    return 0;
}

static bool exists(unsigned key)
{
    return key < KEYS && keys[key].used && !keys[key].deleted;
}

/* POSIX says nothing about keys that were never created, or are deleted. */
static void check_key(unsigned key, const void *pc)
{
    const struct module *caller = engine_active ? modules_of(pc) : NULL;
    /* a library may have made its keys before the runtime began */
    if (!caller || !caller->is_instrumented)
        return;
    if (!exists(key))
        engine_fail(WORKER_ERROR_MISUSE, 0, pc, "use of a key that %s",
                    key < KEYS && keys[key].deleted ? "was deleted before" : "was never created");
    used_at[engine_current()][key] = engine_now();
}

/* Uses are no steps: in another execution one that is not ordered before would come after. */
static void check_unused(unsigned key, const void *pc)
{
    for (uint32_t t = 0; engine_active && t < CLOCKS_THREADS_MAX; t++)
        if (used_at[t][key] && t != engine_current() && !engine_knows(t, used_at[t][key]))
            engine_fail(WORKER_ERROR_MISUSE, 0, pc,
                        "a key is deleted, and nothing orders this after its use by T%u", t);
}

static int delete_key(unsigned key, const void *pc)
{
    check_key(key, pc);
    if (!exists(key))
        return EINVAL;
    check_unused(key, pc);
    if (hook_is_watched(pc))
        outside_use(OUTSIDE_KEYS, true, pc);
    keys[key].used = keys[key].permanent && start_has_begun; /* those come back with the next execution */
    keys[key].deleted = start_has_begun;
    return 0;
}

static void *get_value(unsigned key, const void *pc)
{
    check_key(key, pc);
    return key < KEYS ? key_values[engine_current()][key] : NULL;
}

static int set_value(unsigned key, const void *value, const void *pc)
{
    check_key(key, pc);
    if (!exists(key))
        return EINVAL;
    key_values[engine_current()][key] = (void *)value;
    if (!start_has_begun)
        keys[key].initial = (void *)value;
    return 0;
}

#define REPLACE_KEY(type, name, arguments, expression, ...) \
    REPLACE_WHERE(start_is_worker, type, name, arguments, expression, __VA_ARGS__)

REPLACE_KEY(int, pthread_key_create, (key, destructor), create_key(key, destructor, CALLER),
            pthread_key_t *key, void (*destructor)(void *))
REPLACE_KEY(int, pthread_key_delete, (key), delete_key(key, CALLER), pthread_key_t key)
REPLACE_KEY(void *, pthread_getspecific, (key), get_value(key, CALLER), pthread_key_t key)
REPLACE_KEY(int, pthread_setspecific, (key, value), set_value(key, value, CALLER), pthread_key_t key,
            const void *value)
REPLACE_KEY(int, tss_create, (key, destructor),
            create_key(key, destructor, CALLER) == 0 ? thrd_success : thrd_error, tss_t *key,
            tss_dtor_t destructor)
REPLACE_KEY(void, tss_delete, (key), (void)delete_key(key, CALLER), tss_t key)
REPLACE_KEY(void *, tss_get, (key), get_value(key, CALLER), tss_t key)
REPLACE_KEY(int, tss_set, (key, value), set_value(key, value, CALLER) == 0 ? thrd_success : thrd_error,
            tss_t key, void *value)

/* A destructor may set values again: some rounds, as POSIX says. */
static bool run_round(uint32_t thread)
{
    bool any = false;
    for (unsigned k = 0; k < keys_used; k++) {
        void *value = key_values[thread][k];
        if (!exists(k) || !keys[k].destructor || !value)
            continue;
        key_values[thread][k] = NULL;
        keys[k].destructor(value);
        any = true;
    }
    return any;
}

void keys_run_destructors(uint32_t thread)
{
    for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS && run_round(thread); round++)
        continue;
}
