/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

int sum;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *add(void *number)
{
    pthread_mutex_lock(&lock);
    sum += *(int *)number; /* which goes on in main */
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t t[2];
    int i;
    for (i = 0; i < 2; i++)
        pthread_create(&t[i], 0, add, &i);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
