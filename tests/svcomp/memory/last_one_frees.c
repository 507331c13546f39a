/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>

struct object {
    atomic_int users;
    int value;
} * shared;

void *leave(void *unused)
{
    if (atomic_fetch_sub(&shared->users, 1) == 1)
        free(shared);
    return unused;
}

int main(void)
{
    pthread_t t;
    shared = malloc(sizeof *shared);
    if (!shared)
        return 0;
    atomic_init(&shared->users, 2);
    pthread_create(&t, 0, leave, 0);
    leave(0);
    pthread_join(t, 0);
    return 0;
}
