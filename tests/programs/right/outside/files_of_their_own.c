/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: each thread has a stream, so that no order of what they do matters */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static FILE *streams[2];

static void *work(void *number)
{
    FILE *f = streams[(long)number];
    for (int k = 0; k < 20; k++)
        fprintf(f, "%d\n", k);
    return NULL;
}

int main(void)
{
    pthread_t t;
    char line[8];
    streams[0] = tmpfile();
    streams[1] = tmpfile();
    pthread_create(&t, NULL, work, (void *)1L);
    work(NULL);
    pthread_join(t, NULL);
    for (int k = 0; k < 2; k++) {
        rewind(streams[k]);
        assert(fgets(line, sizeof line, streams[k]) && line[0] == '0');
        fclose(streams[k]);
    }
    return 0;
}
