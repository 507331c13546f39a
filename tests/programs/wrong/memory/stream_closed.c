/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated undefined */
/* mode: dfs */
/* note: a stream is used after it was closed by another thread */
#include <pthread.h>
#include <stdio.h>

static FILE *stream;

static void *finish(void *arg)
{
    fclose(stream);
#ifdef RIGHT
    stream = fopen("/dev/null", "w");
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
    stream = fopen("/dev/null", "w");
    pthread_create(&t, NULL, finish, NULL);
    pthread_join(t, NULL);
    fputs("too late", stream);
#ifdef RIGHT
    fclose(stream);
#endif
    return 0;
}
