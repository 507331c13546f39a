/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: wrong arguments that POSIX answers with an error number */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

static void *nothing(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_barrier_t barrier;
    pthread_mutexattr_t attr;
    pthread_t t;
    sem_t s;
    assert(pthread_barrier_init(&barrier, NULL, 0) == EINVAL);
    pthread_mutexattr_init(&attr);
    assert(pthread_mutexattr_settype(&attr, 77) == EINVAL);
    assert(sem_init(&s, 0, (unsigned)SEM_VALUE_MAX + 1) == -1 && errno == EINVAL);
    assert(sem_init(&s, 0, SEM_VALUE_MAX) == 0);
    assert(sem_post(&s) == -1 && errno == EOVERFLOW);
    pthread_create(&t, NULL, nothing, NULL);
    pthread_join(t, NULL);
    return 0;
}
