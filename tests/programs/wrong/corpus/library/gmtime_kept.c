/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* note: the pointer that gmtime returned is used after the lock was given back */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int day[2];

static void look(int me)
{
    time_t now = 86400 * me;
    pthread_mutex_lock(&lock);
    struct tm *fields = gmtime(&now);
    pthread_mutex_unlock(&lock);
    day[me] = fields->tm_mday;
}

static void *one(void *unused)
{
    (void)unused;
    look(0);
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    look(1);
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
