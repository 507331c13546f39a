/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* mode: all */
/* note: a condition is looked at again and again, with a limit for each wait; it never becomes true */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *look(void *unused)
{
    struct timespec end = {.tv_sec = 1};
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_timedwait(&changed, &m, &end);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, look, 0);
    pthread_join(t, 0);
    return 0;
}
