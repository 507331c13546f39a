/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

int count;
pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;

void *first(void *unused)
{
    pthread_mutex_lock(&one);
    count++;
    pthread_mutex_unlock(&one);
    return unused;
}

void *second(void *unused)
{
    pthread_mutex_lock(&other);
    count++;
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
    return 0;
}
