/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: a condition variable made of a sequence number and a futex */
#include <assert.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

struct condition {
    _Atomic unsigned sequence;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct condition changed;
static int items;

static void condition_wait(struct condition *c, pthread_mutex_t *m)
{
    unsigned seen = atomic_load(&c->sequence);
    pthread_mutex_unlock(m);
    syscall(SYS_futex, &c->sequence, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
    pthread_mutex_lock(m);
}

static void condition_wake(struct condition *c, int most)
{
    atomic_fetch_add(&c->sequence, 1);
    syscall(SYS_futex, &c->sequence, FUTEX_WAKE_PRIVATE, most, NULL, NULL, 0);
}

static void *take(void *arg)
{
    pthread_mutex_lock(&lock);
    while (items == 0)
        condition_wait(&changed, &lock);
    items--;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, take, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        items++;
        pthread_mutex_unlock(&lock);
        condition_wake(&changed, 1);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(items == 0);
    return 0;
}
