/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct tm broken_down = {.tm_mday = 1};
char text[32];

static void *one(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    broken_down.tm_hour = 5;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    strftime(text, sizeof text, "%H:%M", &broken_down);
    pthread_mutex_unlock(&lock);
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
