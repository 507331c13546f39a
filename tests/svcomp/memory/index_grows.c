/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>

atomic_int count;
int *slots;

void *put(void *unused)
{
    slots[atomic_fetch_add(&count, 1)] = 1;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    slots = malloc(sizeof *slots);
    if (!slots)
        return 0;
    pthread_create(&a, 0, put, 0);
    pthread_create(&b, 0, put, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    free(slots);
    return 0;
}
