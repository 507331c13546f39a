/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* races: inconclusive */
/* mode: all */
/* note: every round fills a buffer with the same, and clears it with memset */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int flag;
static char buffer[48];

static void *wait_for(void *arg)
{
    while (!atomic_load(&flag)) {
        memset(buffer, 1, sizeof buffer);
        buffer[3] = 2;
        memset(buffer, 0, sizeof buffer);
    }
    return arg;
}

static void *set(void *arg)
{
    atomic_store(&flag, 1);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, wait_for, NULL);
    pthread_create(&t[1], NULL, set, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
