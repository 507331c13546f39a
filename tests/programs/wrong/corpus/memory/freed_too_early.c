/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free */
/* mode: all */
/* note: the buffer is freed before the thread that fills it was joined */
#include <pthread.h>
#include <stdlib.h>

static int *buffer;

static void *fill(void *unused)
{
    (void)unused;
    buffer[1] = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    buffer = malloc(2 * sizeof *buffer);
    pthread_create(&t, NULL, fill, NULL);
    free(buffer);
    pthread_join(t, NULL);
    return 0;
}
