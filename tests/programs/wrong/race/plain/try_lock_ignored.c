/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: goes on even when trylock fails; the unlock is guarded */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int counter;

static void *add(void *arg)
{
    (void)arg;
    int held = pthread_mutex_trylock(&lock) == 0;
    counter++;
    if (held)
        pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
