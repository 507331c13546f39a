/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* runs: 20 */
/* note: other processes may open it by its name */
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns only if it could not wait. */
static void wait_for(int fd)
{
#if defined(WITH_SELECT)
    fd_set set;
    FD_ZERO(&set);
    FD_SET(fd, &set);
    select(fd + 1, &set, NULL, NULL, NULL);
#elif defined(WITH_EPOLL)
    struct epoll_event event = {.events = EPOLLIN};
    int epoll = epoll_create1(0);
    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
    epoll_wait(epoll, &event, 1, 60000);
#elif defined(WITH_WRITE)
    static char page[4096];
    while (write(fd, page, sizeof page) > 0)
        ;
#elif defined(WITH_PAUSE)
    (void)fd;
    pause();
#else
    struct pollfd file = {.fd = fd, .events = POLLIN};
    poll(&file, 1, 60000);
#endif
}

int main(void)
{
    mkfifo("fifo", 0600);
    int fd = open("fifo", O_RDWR);
    if (fd >= 0)
        wait_for(fd);
}
