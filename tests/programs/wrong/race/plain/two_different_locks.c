/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
int counter;

static void *add(void *arg)
{
    pthread_mutex_lock(arg);
    counter++;
    pthread_mutex_unlock(arg);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, &first);
    pthread_create(&b, NULL, add, &second);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
