/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: bits that were never written are masked away, copied or passed over before a branch */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int copied;

static void *publish(void *arg)
{
    atomic_store(&ready, 1);
    return arg;
}

int main(void)
{
    unsigned flags;
    int found, unused;
    pthread_t t;
    pthread_create(&t, NULL, publish, NULL);
    flags &= 0xff00;
    flags |= 3;
    assert(flags & 1);
    _Bool is_ready = atomic_load(&ready);
    if (is_ready)
        found = 1;
    if (is_ready)
        assert(found == 1);
    copied = unused;
    pthread_join(t, NULL);
    return 0;
}
