/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: race */
/* wrong-sc: holds */
/* wrong-tso: holds */
/* note: a static copy of a flag saves the atomic load once the flag is set */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifdef WRONG
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif

static atomic_bool ready;
static int settings;

static void wait_until_ready(void)
{
    static bool seen;
    while (!seen)
        seen = atomic_load_explicit(&ready, memory_order_acquire);
}

static void *load_settings(void *arg)
{
    settings = 42;
    atomic_store_explicit(&ready, true, PUBLISH);
    return arg;
}

int main(void)
{
    pthread_t loader;
    pthread_create(&loader, NULL, load_settings, NULL);
    wait_until_ready();
    assert(settings == 42);
    wait_until_ready();
    pthread_join(loader, NULL);
    return 0;
}
