/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: a write of more than PIPE_BUF that has to wait may have another one in its middle */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

enum { SIZE = 65536 + 100 };
static int ends[2];
static char a[SIZE], to[SIZE + 1];

static void *produce(void *unused)
{
    write(ends[1], a, SIZE);
    return unused;
}

static void *produce_one(void *unused)
{
    write(ends[1], "b", 1);
    return unused;
}

int main(void)
{
    pthread_t t, u;
    size_t got = 0;
    pipe(ends);
    pthread_create(&t, NULL, produce, NULL);
    pthread_create(&u, NULL, produce_one, NULL);
    while (got < sizeof to)
        got += (size_t)read(ends[0], to + got, sizeof to - got);
    assert(to[0] == 'b' || to[SIZE] == 'b');
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
