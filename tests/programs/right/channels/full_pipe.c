/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: a pipe has room for 64 KiB; a write of more waits, and goes on when there is room */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

enum { SIZE = 65536 + 5000 };
static int ends[2];
static char from[SIZE], to[SIZE];

static void *produce(void *unused)
{
    assert(write(ends[1], from, SIZE) == SIZE);
    close(ends[1]);
    return unused;
}

int main(void)
{
    pthread_t t;
    size_t got = 0;
    from[SIZE - 1] = 'z';
    pipe(ends);
    pthread_create(&t, NULL, produce, NULL);
#ifdef WRONG
    pthread_join(t, NULL);
#endif
    for (ssize_t n; (n = read(ends[0], to + got, SIZE - got)) > 0;)
        got += (size_t)n;
    assert(got == SIZE && to[SIZE - 1] == 'z');
#ifndef WRONG
    pthread_join(t, NULL);
#endif
    return 0;
}
