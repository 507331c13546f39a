/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: calls that do not wait are done, and order what their data depends on */
#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

static int pair[2], data;

static void *tell(void *unused)
{
    data = 7;
    ssize_t sent = send(pair[1], "x", 1, 0);
    assert(sent == 1);
    return unused;
}

static void look_at_nothing(void)
{
    char c;
    fd_set set;
    struct pollfd file = {.fd = pair[1], .events = POLLIN};
    struct epoll_event event = {.events = EPOLLIN};
    int epoll = epoll_create1(0);
    FD_ZERO(&set);
    FD_SET(pair[1], &set);
    epoll_ctl(epoll, EPOLL_CTL_ADD, pair[1], &event);
    assert(poll(&file, 1, 0) == 0 && epoll_wait(epoll, &event, 1, 0) == 0);
    assert(select(pair[1] + 1, &set, NULL, NULL, &(struct timeval){0, 0}) == 0);
    assert(recv(pair[1], &c, 1, MSG_DONTWAIT) == -1);
    close(epoll);
}

int main(void)
{
    pthread_t a;
    char c = 0;
    int made = socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    assert(made == 0);
    look_at_nothing();
    fcntl(pair[0], F_SETFL, O_NONBLOCK);
    pthread_create(&a, NULL, tell, NULL);
    ssize_t got = read(pair[0], &c, 1);
    if (got == 1)
        assert(c == 'x' && data == 7);
    pthread_join(a, NULL);
    close(pair[0]);
    close(pair[1]);
}
