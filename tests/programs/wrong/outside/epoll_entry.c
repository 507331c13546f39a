/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: the pipe may be watched already */
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>
static int watch, ends[2];
static void *add(void *u)
{
    struct epoll_event e = {.events = EPOLLIN};
    epoll_ctl(watch, EPOLL_CTL_ADD, ends[0], &e);
    return 0;
}
int main(void)
{
    pthread_t t;
    struct epoll_event e;
    watch = epoll_create1(0);
    pipe(ends);
    write(ends[1], "x", 1);
    pthread_create(&t, 0, add, 0);
    int count = epoll_wait(watch, &e, 1, 0);
    pthread_join(t, 0);
    assert(count == 0);
}
