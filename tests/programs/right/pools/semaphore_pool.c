/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: two workers wait for tasks at a semaphore; a task without a function ends them */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void (*tasks[4])(void);
static int head, tail, ran;

static void count(void)
{
    pthread_mutex_lock(&lock);
    ran++;
    pthread_mutex_unlock(&lock);
}

static void submit(void (*f)(void))
{
    pthread_mutex_lock(&lock);
    tasks[tail++] = f;
    pthread_mutex_unlock(&lock);
    sem_post(&ready);
}

static void *work(void *arg)
{
    for (;;) {
        sem_wait(&ready);
        pthread_mutex_lock(&lock);
        void (*f)(void) = tasks[head++];
        pthread_mutex_unlock(&lock);
        if (!f)
            return arg;
        f();
    }
}

int main(void)
{
    pthread_t t[2];
    sem_init(&ready, 0, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    submit(count);
    submit(count);
    submit(NULL);
    submit(NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    sem_destroy(&ready);
    assert(ran == 2);
    return 0;
}
