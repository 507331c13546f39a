/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>

struct link {
    struct link *next;
    pthread_mutex_t lock;
};
static struct link a = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct link list = {&a, PTHREAD_MUTEX_INITIALIZER};

static void *insert(void *unused)
{
    (void)unused;
    static struct link b;
    pthread_mutex_lock(&list.lock);
    b.next = list.next;
    list.next = &b;
    pthread_mutex_unlock(&list.lock);
    return NULL;
}

static void *remove_first(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&list.lock);
    if (list.next)
        list.next = list.next->next;
    pthread_mutex_unlock(&list.lock);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, insert, NULL);
    pthread_create(&t[1], NULL, remove_first, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
