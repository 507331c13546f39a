/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: each replaces and closes what it alone uses; what is shared is under a lock */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/eventfd.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int spare[2];
static void *use(void *which)
{
    eventfd_t value = 0;
    int fd = eventfd(3, EFD_NONBLOCK);
    assert(fd >= 0 && dup2(fd, spare[which != 0]) >= 0);
    assert(eventfd_read(spare[which != 0], &value) == 0 && value == 3);
    close(fd);
    pthread_mutex_lock(&lock);
    sem_t *s = sem_open("/plumb-own", O_CREAT | O_EXCL, 0600, 1);
    assert(s != SEM_FAILED && sem_unlink("/plumb-own") == 0 && sem_close(s) == 0);
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void)
{
    pthread_t t;
    spare[0] = open("/dev/null", O_RDONLY);
    spare[1] = open("/dev/null", O_RDONLY);
    pthread_create(&t, 0, use, spare);
    use(0);
    pthread_join(t, 0);
    close_range(spare[0], spare[1], 0);
}
