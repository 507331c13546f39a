/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

int left, right;
pthread_mutex_t left_lock = PTHREAD_MUTEX_INITIALIZER, right_lock = PTHREAD_MUTEX_INITIALIZER;

void *move(void *unused)
{
    pthread_mutex_lock(&left_lock);
    left--;
    pthread_mutex_unlock(&left_lock);
    pthread_mutex_lock(&right_lock);
    right++;
    pthread_mutex_unlock(&right_lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, move, 0);
    pthread_create(&b, 0, move, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
