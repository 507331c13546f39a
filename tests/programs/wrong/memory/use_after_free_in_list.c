/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free */
/* note: everything under the lock, but the iterator is kept while the lock is not */
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *list;
int sum;

static void *remover(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    struct node *second = list->next;
    list->next = second->next;
    free(second);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        *n = (struct node){list, i};
        list = n;
    }
    pthread_create(&t, NULL, remover, NULL);
    pthread_mutex_lock(&lock);
    struct node *at = list->next;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    sum = at->value;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
