/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* mode: all */
/* note: two transfers in opposite directions take the locks in the order of their arguments */
#include <pthread.h>

static struct account {
    pthread_mutex_t lock;
    int balance;
} accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 5}, {PTHREAD_MUTEX_INITIALIZER, 5}};

static void transfer(struct account *from, struct account *to)
{
    struct account *first = from, *second = to;
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    from->balance--;
    to->balance++;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}

static void *one(void *unused)
{
    (void)unused;
    transfer(&accounts[0], &accounts[1]);
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    transfer(&accounts[1], &accounts[0]);
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
