/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* note: statistics are printed before the last worker was joined */
#include <pthread.h>
#include <stdio.h>

static long bytes;

static void *worker(void *unused)
{
    (void)unused;
    bytes += 100;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    printf("%ld\n", bytes);
    pthread_join(t, NULL);
    return 0;
}
