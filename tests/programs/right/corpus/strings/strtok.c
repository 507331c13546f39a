/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *unused)
{
    (void)unused;
    char words[] = "a b";
    pthread_mutex_lock(&lock);
    strtok(words, " ");
    strtok(NULL, " ");
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    char words[] = "c d";
    pthread_mutex_lock(&lock);
    strtok(words, " ");
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
