/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: a readers-writer lock made of a mutex and a condition variable */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers, writing, left, right;

static void enter(int write)
{
    pthread_mutex_lock(&lock);
    while (writing || (write && readers))
        pthread_cond_wait(&changed, &lock);
    readers += !write;
    writing = write;
    pthread_mutex_unlock(&lock);
}

static void leave(int write)
{
    pthread_mutex_lock(&lock);
    readers -= !write;
    writing = 0;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void *writer(void *arg)
{
    (void)arg;
    enter(1);
    left++;
    right++;
    leave(1);
    return NULL;
}

static void *reader(void *arg)
{
    (void)arg;
    enter(0);
    assert(left == right);
    leave(0);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    reader(NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(left == 1 && readers == 0 && !writing);
    return 0;
}
