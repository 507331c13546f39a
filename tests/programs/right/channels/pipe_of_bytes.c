/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: what comes out of a pipe went in, in order; reads wait for it; the end of the pipe is seen when its writer has closed it */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2], data;

static void *produce(void *unused)
{
    data = 1;
    assert(write(ends[1], "ab", 2) == 2);
    assert(write(ends[1], "c", 1) == 1);
    close(ends[1]);
    return unused;
}

int main(void)
{
    pthread_t t;
    char text[4] = {0};
    size_t got = 0;
    pipe(ends);
    pthread_create(&t, NULL, produce, NULL);
    for (ssize_t n; (n = read(ends[0], text + got, sizeof text - got)) > 0; got += (size_t)n)
        assert(data == 1);
    assert(got == 3 && text[0] == 'a' && text[1] == 'b' && text[2] == 'c');
    pthread_join(t, NULL);
    return 0;
}
