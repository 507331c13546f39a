/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated undefined */
/* mode: all */
/* note: the second execution begins with what strtok remembers of the first */
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char words[] = "a b c";

static void *next(void *arg)
{
    pthread_mutex_lock(&lock);
    char *word = strtok(NULL, " ");
    pthread_mutex_unlock(&lock);
    return word ? arg : NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, next, NULL);
    pthread_mutex_lock(&lock);
    char *first = strtok(words, " ");
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return first != words;
}
