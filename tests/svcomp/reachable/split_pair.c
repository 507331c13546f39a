/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <assert.h>
extern void abort(void);
void reach_error(void)
{
    assert(0);
}

int left, right;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *move(void *unused)
{
    pthread_mutex_lock(&lock);
    left++;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    right++;
    pthread_mutex_unlock(&lock);
    return unused;
}

void *look(void *unused)
{
    pthread_mutex_lock(&lock);
    if (left != right)
        reach_error();
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, move, 0);
    pthread_create(&b, 0, look, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
