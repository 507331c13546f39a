/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* flags: -O2 */
/* note: with these flags the count is written right before the lock, and stands in a register that is dead at the unlock */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int count;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int is_set(void)
{
    pthread_mutex_lock(&m);
    int found = atomic_load(&flag);
    pthread_mutex_unlock(&m);
    return found;
}

static void *wait(void *unused)
{
    count = 0;
    while (!is_set())
        count++;
    assert(count != 5);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, wait, NULL);
    pthread_mutex_lock(&m);
    atomic_store(&flag, 1);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
}
