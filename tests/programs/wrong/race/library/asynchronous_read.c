/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* known: holds */
/* named: libc.so.6: aio_read */
/* mode: all */
/* note: the buffer is written while a thread of the library may be reading into it */
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

static char buffer[8];

int main(void)
{
    int zeros = open("/dev/zero", O_RDONLY);
    struct aiocb request = {.aio_fildes = zeros, .aio_buf = buffer, .aio_nbytes = sizeof buffer};
    const struct aiocb *list[] = {&request};
    aio_read(&request);
    buffer[0] = 1;
    while (aio_error(&request) == EINPROGRESS)
        aio_suspend(list, 1, NULL);
    close(zeros);
    return aio_return(&request) < 0;
}
