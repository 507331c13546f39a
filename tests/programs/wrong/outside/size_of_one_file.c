/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/stat.h>
static int fd;
static void *cut(void *u)
{
    ftruncate(fd, 1);
    return 0;
}
int main(void)
{
    pthread_t t;
    struct stat s;
    fd = memfd_create("x", 0);
    pthread_create(&t, 0, cut, 0);
    ftruncate(fd, 2);
    pthread_join(t, 0);
    fstat(fd, &s);
    close(fd);
    assert(s.st_size == 2);
}
