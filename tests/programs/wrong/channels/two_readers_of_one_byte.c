/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* note: a number in a file comes from a thread that found the pipe empty: the order of uses of a file is explored beside that of the pipe */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static int ends[2], file;

static void *take(void *unused)
{
    char c = '0';
    read(ends[0], &c, 1);
    pwrite(file, &c, 1, 0);
    return unused;
}

int main(void)
{
    pthread_t t;
    char c = 0;
    file = memfd_create("file", 0);
    pipe2(ends, O_NONBLOCK);
    write(ends[1], "1", 1);
    pthread_create(&t, NULL, take, NULL);
    take(NULL);
    pthread_join(t, NULL);
    pread(file, &c, 1, 0);
    assert(c == '1');
    return 0;
}
