/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* mode: dfs */
/* note: a lock that prefers writers does not let a thread read it again when a writer waits */
#define _GNU_SOURCE
#include <pthread.h>

#ifndef KIND
#define KIND PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP
#endif

static pthread_rwlock_t lock;
static int value;

static void *work(void *arg)
{
    pthread_rwlock_wrlock(&lock);
    value++;
    pthread_rwlock_unlock(&lock);
    return arg;
}

static int get(void)
{
    pthread_rwlock_rdlock(&lock);
    int found = value;
    pthread_rwlock_unlock(&lock);
    return found;
}

int main(void)
{
    pthread_t t;
    pthread_rwlockattr_t attributes;
    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setkind_np(&attributes, KIND);
    pthread_rwlock_init(&lock, &attributes);
    pthread_create(&t, NULL, work, NULL);
    pthread_rwlock_rdlock(&lock);
#ifdef RIGHT
    pthread_rwlock_unlock(&lock);
    get();
#else
    get();
    pthread_rwlock_unlock(&lock);
#endif
    pthread_join(t, NULL);
    return 0;
}
