/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
char path[32] = "/tmp";
size_t seen;

static void *one(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    seen = strlen(path);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    strcat(path, "/x");
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
