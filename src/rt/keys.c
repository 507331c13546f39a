/* SPDX-License-Identifier: Apache-2.0 */
/* Thread-specific values: pthread_key_* and C11's tss_*. */
#include "rt/hook.h"
#include "rt/reset.h"
#include "rt/start.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <threads.h>

enum { KEYS = 256 };

static struct {
    bool used;
    bool permanent; /* made before the first execution, or by the C++ library for itself */
    void (*destructor)(void *);
    void *initial; /* thread 0: set before the first execution */
} keys[KEYS];

static void *key_values[CLOCKS_THREADS_MAX][KEYS];
static unsigned keys_used; /* the highest key ever used + 1 */

void keys_reset(void)
{
    unsigned last = 0;
    if (!keys_used)
        return;
    for (unsigned k = 0; k < keys_used; k++) {
        for (unsigned t = 0; t < CLOCKS_THREADS_MAX; t++)
            key_values[t][k] = NULL;
        if (keys[k].permanent) {
            key_values[0][k] = keys[k].initial;
            last = k + 1;
        } else {
            keys[k].used = false;
        }
    }
    keys_used = last;
}

static int create_key(unsigned *key, void (*destructor)(void *), const void *pc)
{
    for (unsigned k = 1; k < KEYS; k++)
        if (!keys[k].used) {
            keys[k].used = true;
            keys[k].permanent = !start_has_begun || hook_is_library_code(pc);
            keys[k].destructor = destructor;
            keys[k].initial = NULL;
            for (unsigned t = 0; t < CLOCKS_THREADS_MAX; t++)
                key_values[t][k] = NULL;
            *key = k;
            keys_used = k >= keys_used ? k + 1 : keys_used;
            return 0;
        }
    return EAGAIN;
}

static int delete_key(unsigned key)
{
    if (key >= KEYS || !keys[key].used)
        return EINVAL;
    keys[key].used = keys[key].permanent && start_has_begun; /* those come back with the next execution */
    return 0;
}

static void *get_value(unsigned key)
{
    return key < KEYS ? key_values[engine_current()][key] : NULL;
}

static int set_value(unsigned key, const void *value)
{
    if (key >= KEYS || !keys[key].used)
        return EINVAL;
    key_values[engine_current()][key] = (void *)value;
    if (!start_has_begun)
        keys[key].initial = (void *)value;
    return 0;
}

EXPORT int pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
    return start_is_worker ? create_key(key, destructor, CALLER) : NEXT(pthread_key_create)(key, destructor);
}

EXPORT int pthread_key_delete(pthread_key_t key)
{
    return start_is_worker ? delete_key(key) : NEXT(pthread_key_delete)(key);
}

EXPORT void *pthread_getspecific(pthread_key_t key)
{
    return start_is_worker ? get_value(key) : NEXT(pthread_getspecific)(key);
}

EXPORT int pthread_setspecific(pthread_key_t key, const void *value)
{
    return start_is_worker ? set_value(key, value) : NEXT(pthread_setspecific)(key, value);
}

EXPORT int tss_create(tss_t *key, tss_dtor_t destructor)
{
    if (!start_is_worker)
        return NEXT(tss_create)(key, destructor);
    return create_key(key, destructor, CALLER) == 0 ? thrd_success : thrd_error;
}

EXPORT void tss_delete(tss_t key)
{
    if (start_is_worker)
        delete_key(key);
    else
        NEXT(tss_delete)(key);
}

EXPORT void *tss_get(tss_t key)
{
    return start_is_worker ? get_value(key) : NEXT(tss_get)(key);
}

EXPORT int tss_set(tss_t key, void *value)
{
    if (!start_is_worker)
        return NEXT(tss_set)(key, value);
    return set_value(key, value) == 0 ? thrd_success : thrd_error;
}

/* A destructor may set values again: some rounds, as POSIX says. */
static bool run_round(uint32_t thread)
{
    bool any = false;
    for (unsigned k = 0; k < keys_used; k++) {
        void *value = key_values[thread][k];
        if (!keys[k].used || !keys[k].destructor || !value)
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
