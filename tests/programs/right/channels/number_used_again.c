/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: a number that was a pipe's is that of a file, and the other way round */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static int ends[2], file;

static void *put(void *unused)
{
    assert(pwrite(file, "b", 1, 0) == 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    char c = 0;
    pipe(ends);
    close(ends[0]);
    file = memfd_create("file", 0);
    assert(file == ends[0] && write(file, "a", 1) == 1);
    pthread_create(&t, NULL, put, NULL);
    assert(pread(ends[0], &c, 1, 0) == 1 && (c == 'a' || c == 'b'));
    pthread_join(t, NULL);
    assert(pread(file, &c, 1, 0) == 1 && c == 'b');
    close(file);
    close(ends[1]);
    pipe(ends);
    assert(ends[0] == file && write(ends[1], "p", 1) == 1 && read(file, &c, 1) == 1 && c == 'p');
    return 0;
}
