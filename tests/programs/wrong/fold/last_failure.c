/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* flags-plumb: --fold */
/* note: what the last failed CAS found is used after the loop */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int failures[2];

static void *work(void *argument)
{
    int found = 0;
    for (;;) {
        int seen = atomic_load(&x), expected = seen;
        if (atomic_compare_exchange_strong(&x, &expected, seen + 1))
            break;
        found = expected;
    }
    failures[(long)argument] = found;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(failures[0] == 0 && failures[1] == 0);
}
