/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: dining philosophers: take one fork, try the other, put the first back */
#include <assert.h>
#include <pthread.h>
#include <sched.h>

enum { SEATS = 3 };

static pthread_mutex_t forks[SEATS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                       PTHREAD_MUTEX_INITIALIZER};
static int uses[SEATS];

static void *dine(void *arg)
{
    int left = (int)(long)arg, right = (left + 1) % SEATS;
    for (;;) {
        pthread_mutex_lock(&forks[left]);
        if (pthread_mutex_trylock(&forks[right]) == 0)
            break;
        pthread_mutex_unlock(&forks[left]);
        sched_yield();
    }
    uses[left]++;
    uses[right]++;
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
    return NULL;
}

int main(void)
{
    pthread_t threads[SEATS];
    for (long i = 0; i < SEATS; i++)
        pthread_create(&threads[i], NULL, dine, (void *)i);
    for (int i = 0; i < SEATS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < SEATS; i++)
        assert(uses[i] == 2);
    return 0;
}
