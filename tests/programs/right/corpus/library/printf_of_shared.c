/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char status[16] = "idle";

static void *worker(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    snprintf(status, sizeof status, "busy");
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *monitor(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    printf("status %s\n", status);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, worker, NULL);
    pthread_create(&t[1], NULL, monitor, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
