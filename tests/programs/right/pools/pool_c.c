/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: a pool of two workers with a ring of tasks; closing wakes all */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

typedef void (*task_fn)(void *);

struct task {
    task_fn run;
    void *arg;
};

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t ready;
    struct task ring[4];
    int head, count;
    bool closed;
    pthread_t workers[2];
};

static void *work(void *arg)
{
    struct pool *p = arg;
    for (;;) {
        pthread_mutex_lock(&p->lock);
        while (p->count == 0 && !p->closed)
            pthread_cond_wait(&p->ready, &p->lock);
        if (p->count == 0) {
            pthread_mutex_unlock(&p->lock);
            return NULL;
        }
        struct task t = p->ring[p->head];
        p->head = (p->head + 1) % 4;
        p->count--;
        pthread_mutex_unlock(&p->lock);
        t.run(t.arg);
    }
}

static void pool_start(struct pool *p)
{
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->ready, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&p->workers[i], NULL, work, p);
}

static void pool_submit(struct pool *p, task_fn run, void *arg)
{
    pthread_mutex_lock(&p->lock);
    p->ring[(p->head + p->count++) % 4] = (struct task){run, arg};
    pthread_cond_signal(&p->ready);
    pthread_mutex_unlock(&p->lock);
}

static void pool_stop(struct pool *p)
{
    pthread_mutex_lock(&p->lock);
    p->closed = true;
    pthread_cond_broadcast(&p->ready);
    pthread_mutex_unlock(&p->lock);
    for (int i = 0; i < 2; i++)
        pthread_join(p->workers[i], NULL);
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->ready);
}

static void set_one(void *arg)
{
    *(int *)arg += 1;
}

int main(void)
{
    static struct pool pool;
    int a = 0, b = 0;
    pool_start(&pool);
    pool_submit(&pool, set_one, &a);
    pool_submit(&pool, set_one, &b);
    pool_stop(&pool);
    assert(a == 1 && b == 1);
    return 0;
}
