/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdlib.h>

int value, *volatile shared;

void *release(void *unused)
{
    free(shared);
    return unused;
}

int main(void)
{
    pthread_t t;
    shared = malloc(sizeof *shared);
    int *block = shared;
    pthread_create(&t, 0, release, 0);
    shared = &value;
    pthread_join(t, 0);
    if (shared == &value)
        return 0;
    free(block);
    return 0;
}
