/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <assert.h>
extern void abort(void);
void reach_error(void)
{
    assert(0);
}

int count;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *add(void *unused)
{
    if (pthread_mutex_trylock(&lock) == 0) {
        count++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (count == 0)
        reach_error();
    return 0;
}
