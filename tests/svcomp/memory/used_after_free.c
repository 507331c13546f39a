/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdlib.h>

int *shared;

void *use(void *unused)
{
    *shared = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    shared = malloc(sizeof *shared);
    if (!shared)
        return 0;
    pthread_create(&t, 0, use, 0);
    free(shared);
    pthread_join(t, 0);
    return 0;
}
