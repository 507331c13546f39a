/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* races: inconclusive */
/* note: the buffer of the seventieth stream is written when it is flushed */
#include <pthread.h>
#include <stdio.h>

static char *texts[70];
static size_t sizes[70];
static FILE *streams[70];

static void *flush(void *arg)
{
    fflush(streams[69]);
    return arg;
}

int main(void)
{
    pthread_t t;
    for (int k = 0; k < 70; k++)
        streams[k] = open_memstream(&texts[k], &sizes[k]);
    pthread_create(&t, NULL, flush, NULL);
    size_t seen = sizes[69];
    pthread_join(t, NULL);
    return seen != 0;
}
