/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
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
    pthread_join(t, NULL);
    printf("%ld\n", bytes);
    return 0;
}
