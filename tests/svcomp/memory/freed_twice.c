/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdlib.h>

int *shared;

void *release(void *unused)
{
    free(shared);
    return unused;
}

int main(void)
{
    pthread_t t;
    shared = malloc(sizeof *shared);
    pthread_create(&t, 0, release, 0);
    free(shared);
    pthread_join(t, 0);
    return 0;
}
