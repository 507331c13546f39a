/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* note: looks in vain change nothing, the one that finds something does: the loops end */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

static int ends[2];

static void *post(void *unused)
{
    write(ends[1], "x", 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    int watch = epoll_create1(0), found = 0;
    struct epoll_event e = {.events = EPOLLIN};
    pipe(ends);
    struct pollfd file = {.fd = ends[0], .events = POLLIN};
    epoll_ctl(watch, EPOLL_CTL_ADD, ends[0], &e);
    pthread_create(&t, NULL, post, NULL);
    while (found < 2) {
        found = 0;
        found += poll(&file, 1, 0);
        found += epoll_wait(watch, &e, 1, 0);
    }
    pthread_join(t, NULL);
    assert(found == 0);
    return 0;
}
