/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free|race */
/* mode: all */
/* note: the remover frees after the unlock, but the finder keeps its pointer longer than the lock */
#include <pthread.h>
#include <stdlib.h>

struct entry {
    int value;
};
static struct entry *entry;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int seen;

static void *finder(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    struct entry *e = entry;
    pthread_mutex_unlock(&lock);
    if (e)
        seen = e->value;
    return NULL;
}

static void *remover(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    struct entry *e = entry;
    entry = NULL;
    pthread_mutex_unlock(&lock);
    free(e);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    entry = malloc(sizeof *entry);
    entry->value = 4;
    pthread_create(&a, NULL, finder, NULL);
    pthread_create(&b, NULL, remover, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
