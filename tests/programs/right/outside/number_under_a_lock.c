/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int fd;

static void *count(void *unused)
{
    int n;
    pthread_mutex_lock(&lock);
    assert(pread(fd, &n, sizeof n, 0) == sizeof n);
    n++;
    assert(pwrite(fd, &n, sizeof n, 0) == sizeof n);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    int n = 0;
    fd = memfd_create("number", 0);
    assert(pwrite(fd, &n, sizeof n, 0) == sizeof n);
    pthread_create(&t, NULL, count, NULL);
    count(NULL);
    pthread_join(t, NULL);
    assert(pread(fd, &n, sizeof n, 0) == sizeof n && n == 2);
    close(fd);
    return 0;
}
