/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdlib.h>

void *release(void *block)
{
    *(int *)block = 1;
    free(block);
    return 0;
}

int main(void)
{
    pthread_t t;
    int *block = malloc(sizeof *block);
    if (!block)
        return 0;
    pthread_create(&t, 0, release, block);
    pthread_join(t, 0);
    return 0;
}
