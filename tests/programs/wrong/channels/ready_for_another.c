/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* note: both see that the pipe is ready, and one byte is there for one of them */
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *take(void *unused)
{
    char c;
    struct pollfd file = {.fd = ends[0], .events = POLLIN};
    if (poll(&file, 1, 0) == 1)
        read(ends[0], &c, 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    pipe(ends);
    write(ends[1], "x", 1);
    pthread_create(&t, NULL, take, NULL);
    take(NULL);
    pthread_join(t, NULL);
    return 0;
}
