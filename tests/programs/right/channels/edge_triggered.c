/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: the pipe is drained after each event, so no byte waits for an edge that does not come */
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>
#include <fcntl.h>

static int ends[2];

static void *produce(void *unused)
{
    write(ends[1], "a", 1);
    write(ends[1], "b", 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    char c;
    int got = 0, watch = epoll_create1(0);
    struct epoll_event e = {.events = EPOLLIN | EPOLLET};
    pipe(ends);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    epoll_ctl(watch, EPOLL_CTL_ADD, ends[0], &e);
    pthread_create(&t, NULL, produce, NULL);
    while (got < 2) {
        assert(epoll_wait(watch, &e, 1, -1) == 1);
#ifdef WRONG
        if (read(ends[0], &c, 1) == 1)
            got++;
#else
        while (read(ends[0], &c, 1) == 1)
            got++;
#endif
    }
    pthread_join(t, NULL);
    return 0;
}
