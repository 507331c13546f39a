/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: the other thread may have posted before the read */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
#include <sys/eventfd.h>
static int fd;
static void *post(void *u)
{
    eventfd_write(fd, 1);
    return 0;
}
int main(void)
{
    pthread_t t;
    eventfd_t v = 0;
    fd = eventfd(0, EFD_NONBLOCK);
    pthread_create(&t, 0, post, 0);
    int r = eventfd_read(fd, &v);
    pthread_join(t, 0);
    close(fd);
    assert(r < 0);
}
