/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* note: sscanf reads a line that another thread writes */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
char line[16] = "a 12";
int seen;

static void *one(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    line[2] = '5';
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    if (sscanf(line, "a %d", &seen) != 1)
        seen = 0;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, one, NULL);
    pthread_create(&t[1], NULL, two, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
