/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants[2];
int count;

void *first(void *unused)
{
    atomic_store(&wants[0], 1);
    if (!atomic_load(&wants[1]))
        count++;
    return unused;
}

void *second(void *unused)
{
    atomic_store(&wants[1], 1);
    if (!atomic_load(&wants[0]))
        count++;
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
