/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: the reader may have closed its end before the write */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int ends[2];

static void *leave(void *unused)
{
    close(ends[0]);
    return unused;
}

int main(void)
{
    pthread_t t;
    signal(SIGPIPE, SIG_IGN);
    pipe(ends);
    pthread_create(&t, NULL, leave, NULL);
    ssize_t n = write(ends[1], "x", 1);
    pthread_join(t, NULL);
    assert(n == 1);
    return 0;
}
