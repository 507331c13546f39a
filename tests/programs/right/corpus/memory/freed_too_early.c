/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
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
    pthread_join(t, NULL);
    free(buffer);
    return 0;
}
