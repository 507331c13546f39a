/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <assert.h>
extern void abort(void);
void reach_error(void)
{
    assert(0);
}

pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
int order;

void *first(void *unused)
{
    pthread_mutex_lock(&one);
    pthread_mutex_lock(&other);
    order = 1;
    pthread_mutex_unlock(&other);
    pthread_mutex_unlock(&one);
    return unused;
}

void *second(void *unused)
{
    pthread_mutex_lock(&other);
    pthread_mutex_lock(&one);
    if (order == 1)
        order = 2;
    pthread_mutex_unlock(&one);
    pthread_mutex_unlock(&other);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (order == 2)
        reach_error();
    return 0;
}
