/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* all: inconclusive */
/* runs: 20 */
/* note: more events than are kept come before the two accesses */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int noise;
static int shared;

static void *work(void *unused)
{
    (void)unused;
    shared = 1;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    for (int i = 0; i < 90000; i++)
        atomic_fetch_add(&noise, 1);
    pthread_create(&thread, NULL, work, NULL);
    shared = 2;
    pthread_join(thread, NULL);
    return shared == 0;
}
