/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: a number that one thread gives back is another thread's next, as a pipe's or a file's */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static void *use(void *unused)
{
    int ends[2];
    char c = 0;
    assert(pipe(ends) == 0 && write(ends[1], "x", 1) == 1 && read(ends[0], &c, 1) == 1 && c == 'x');
    close(ends[0]);
    int file = memfd_create("file", 0);
    assert(file >= 0 && write(file, "y", 1) == 1 && pread(file, &c, 1, 0) == 1 && c == 'y');
    close(file);
    close(ends[1]);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, use, NULL);
    use(NULL);
    pthread_join(t, NULL);
    return 0;
}
