/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: the byte comes in time, or the time is over: nothing else */
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

static int ends[2];

static void *produce(void *unused)
{
    write(ends[1], "x", 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    char c;
    int watch = epoll_create1(0);
    struct epoll_event e = {.events = EPOLLIN | EPOLLONESHOT, .data.u32 = 7};
    pipe(ends);
    epoll_ctl(watch, EPOLL_CTL_ADD, ends[0], &e);
    pthread_create(&t, NULL, produce, NULL);
    int count = epoll_wait(watch, &e, 1, 50);
    assert(count == 0 || (count == 1 && e.data.u32 == 7 && e.events == EPOLLIN));
    if (count == 1)
        assert(epoll_wait(watch, &e, 1, 50) == 0);
    assert(read(ends[0], &c, 1) == 1 && c == 'x');
    pthread_join(t, NULL);
    return 0;
}
