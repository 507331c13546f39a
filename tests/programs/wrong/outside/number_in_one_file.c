/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: the same by pread and pwrite */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/mman.h>
static int fd;
static void *inc(void *u)
{
    int n;
    pread(fd, &n, sizeof n, 0);
    n++;
    pwrite(fd, &n, sizeof n, 0);
    return 0;
}
int main(void)
{
    pthread_t t;
    int n = 0;
    fd = memfd_create("x", 0);
    pwrite(fd, &n, sizeof n, 0);
    pthread_create(&t, 0, inc, 0);
    inc(0);
    pthread_join(t, 0);
    pread(fd, &n, sizeof n, 0);
    close(fd);
    assert(n == 2);
}
