/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
char first[2];

static void tell(int me)
{
    pthread_mutex_lock(&lock);
    first[me] = strerror(4000 + me)[0];
    pthread_mutex_unlock(&lock);
}

static void *one(void *unused)
{
    (void)unused;
    tell(0);
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    tell(1);
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
