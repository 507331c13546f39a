/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: the pipe ends when the last copy of its writing end is closed; numbers are as the kernel gives them */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2], copy;

static void *leave(void *unused)
{
    close(copy);
    return unused;
}

int main(void)
{
    pthread_t t;
    char c;
    pipe2(ends, O_CLOEXEC);
    copy = dup(ends[1]);
    assert(copy == ends[1] + 1 && fcntl(copy, F_DUPFD, 20) == 20);
    assert(dup2(ends[0], 20) == 20);
    pthread_create(&t, NULL, leave, NULL);
    close(ends[1]);
    assert(read(20, &c, 1) == 0);
    pthread_join(t, NULL);
    assert(write(copy, "x", 1) == -1 && errno == EBADF);
    return 0;
}
