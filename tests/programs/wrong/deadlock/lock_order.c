/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* mode: dfs */
#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
int balance;

static void *forward(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    balance++;
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return NULL;
}

static void *backward(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&first);
    balance--;
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, forward, NULL);
    pthread_create(&b, NULL, backward, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
