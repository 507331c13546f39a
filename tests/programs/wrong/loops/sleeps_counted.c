/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* note: one thread only sleeps, the other one as well, but not for ever */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int woken;

static void *sleep_on(void *unused)
{
    for (;;)
        sleep(1);
    return unused;
}

static void *sleep_for_a_while(void *unused)
{
    for (int i = 0; i < 300; i++)
        sleep(1);
    atomic_store(&woken, 1);
    return unused;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, NULL, sleep_on, NULL);
    pthread_create(&other, NULL, sleep_for_a_while, NULL);
    assert(!atomic_load(&woken));
    return 0;
}
