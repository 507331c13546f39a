/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

int slots[2];
pthread_barrier_t both;

void *first(void *unused)
{
    slots[0] = 1;
    pthread_barrier_wait(&both);
    slots[1]++;
    return unused;
}

void *second(void *unused)
{
    slots[1] = 1;
    pthread_barrier_wait(&both);
    slots[0]++;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_barrier_init(&both, 0, 2);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
