/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free|race */
/* mode: all */
/* note: the writer grows the array; the reader's copy of the pointer is taken outside of the lock */
#include <pthread.h>
#include <stdlib.h>

static struct {
    pthread_mutex_t lock;
    int *items;
} list = {.lock = PTHREAD_MUTEX_INITIALIZER};
int seen;

static void *writer(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&list.lock);
    list.items = realloc(list.items, 100 * sizeof(int));
    pthread_mutex_unlock(&list.lock);
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&list.lock);
    int *items = list.items;
    pthread_mutex_unlock(&list.lock);
    seen = items[0];
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    list.items = calloc(1, sizeof(int));
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(list.items);
    return 0;
}
