/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free|race */
/* note: the old block is gone as soon as there is a larger one, even if that is never used */
#include <pthread.h>
#include <stdlib.h>

static int *block;

static void *work(void *arg)
{
    block[0] = 1;
    return arg;
}

int main(void)
{
    block = malloc(4 * sizeof *block);
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    int *larger = realloc(block, 4096);
    pthread_join(t, NULL);
    free(larger);
    return 0;
}
