/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* flags-plumb: --symmetry */
/* Two threads that do the same are distinguished by what they return. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long tickets;

static void *take(void *unused)
{
    (void)unused;
    return (void *)atomic_fetch_add(&tickets, 1);
}

int main(void)
{
    pthread_t t[2];
    void *result[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, take, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], &result[i]);
    assert((long)result[0] < (long)result[1]);
}
