/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER, room = PTHREAD_MUTEX_INITIALIZER;
static int readers, value;

static void *reader(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&guard);
    readers++;
    pthread_mutex_unlock(&guard);
    pthread_mutex_lock(&guard);
    readers--;
    pthread_mutex_unlock(&guard);
    return NULL;
}

static void *writer(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&guard);
    if (readers == 0) {
        pthread_mutex_lock(&room);
        value = 1;
        pthread_mutex_unlock(&room);
    }
    pthread_mutex_unlock(&guard);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, reader, NULL);
    pthread_create(&t[1], NULL, writer, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
