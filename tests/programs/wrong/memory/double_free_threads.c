/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated double-free */
/* note: both threads see themselves as the last owner */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int owners = 2;
int *block;

static void *leave(void *arg)
{
    (void)arg;
    atomic_fetch_sub(&owners, 1);
    if (atomic_load(&owners) == 0)
        free(block);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    block = malloc(16);
    pthread_create(&a, NULL, leave, NULL);
    pthread_create(&b, NULL, leave, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
