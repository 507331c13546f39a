/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* Atomic variables that cannot be written are in memory that cannot be written. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static const _Atomic int limit = 3;
static const _Atomic char letter = 'a';
static _Atomic int count;

static void *add(void *unused)
{
    if (atomic_load_explicit(&count, memory_order_relaxed) < atomic_load(&limit))
        atomic_fetch_add(&count, 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, add, NULL);
    add(NULL);
    pthread_join(t, NULL);
    assert(count == 2 && letter == 'a');
    return 0;
}
