/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: a loop that the first execution does not enter seems to have no end, and has one: no execution meets the bound in the end */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int seen, rounds;

static void *look(void *unused)
{
    if (atomic_load(&seen) == 0)
        for (int i = 0; i < 700; i++)
            atomic_fetch_add(&rounds, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    atomic_store(&seen, 1);
    pthread_join(thread, NULL);
    assert(rounds == 0 || rounds == 700);
    return 0;
}
