/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* runs: 200 */
/* note: no wait for anybody: every round changes memory; a step limit is no proof that it never ends */
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint counter;

static void *work(void *arg)
{
    (void)arg;
    while (atomic_fetch_add(&counter, 2) != 1)
        ;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
